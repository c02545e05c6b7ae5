#!/usr/bin/env bash
# Builds llama.cpp from the pinned source package as static archives with one pkg-config file, so that SwiftPM
# links them without unsafe flags and without a search path at run time.
#
#   build-llama.sh key                             print what tells one build from another
#   build-llama.sh prefix                          print where setup puts this machine's build
#   build-llama.sh libraries SOURCE BUILD PREFIX   build the archives and put them into PREFIX
#   build-llama.sh tools SOURCE BUILD FOLDER       build llama-server, llama-bench and llama-quantize into FOLDER
#
# SOURCE is the unpacked llama.cpp. BUILD may hold an interrupted build, which is gone on with. cmake and ninja are
# taken from PATH.
set -euo pipefail

# Of the source package, whose version has nothing to do with llama.cpp's own: 0.5.0-dev.
readonly VERSION=0.3.36
readonly COMMIT=0c1e57098

readonly OPTIONS=(
    -DCMAKE_BUILD_TYPE=Release -DBUILD_SHARED_LIBS=OFF
    # Swift links position-independent executables.
    -DCMAKE_POSITION_INDEPENDENT_CODE=ON
    # Else asked of git, and the package has no history.
    -DLLAMA_BUILD_NUMBER=0 "-DLLAMA_BUILD_COMMIT=$COMMIT"
    # The tools are configured along, so that they can be had from the same objects; building them is another matter.
    -DLLAMA_BUILD_COMMON=ON -DLLAMA_BUILD_MTMD=ON -DLLAMA_BUILD_TOOLS=ON -DLLAMA_BUILD_SERVER=ON
    -DLLAMA_BUILD_TESTS=OFF -DLLAMA_BUILD_EXAMPLES=OFF -DLLAMA_BUILD_APP=OFF
    # What would need a library more, start programs, or use the network.
    -DLLAMA_OPENSSL=OFF -DLLAMA_SUBPROCESS=OFF -DMTMD_VIDEO=OFF -DLLAMA_USE_PREBUILT_UI=OFF -DLLAMA_BUILD_UI=OFF
    # A third faster at reading a prompt than x86-64-v3; hence the processor is in the key.
    -DGGML_NATIVE=ON
)

key() {
    {
        echo "$VERSION" "${OPTIONS[@]}"
        g++ -dumpfullversion -dumpversion -dumpmachine
        grep -m1 -E '^(flags|Features)' /proc/cpuinfo | cut -d: -f2 | tr ' ' '\n' | LC_ALL=C sort -u
        declare -f libraries
    } | sha256sum | cut -c 1-16
}

cache() {
    local cache=$HOME/.cache/breeze
    if [[ ${XDG_CACHE_HOME:-} == /* ]]; then cache=$XDG_CACHE_HOME/breeze; fi
    if [[ ${BREEZE_CACHE:-} == /* ]]; then cache=$BREEZE_CACHE; fi
    echo "$cache"
}

# compile SOURCE BUILD TARGET…
compile() {
    local source=$1 build=$2
    shift 2
    if [[ ! -f $build/build.ninja ]]; then cmake -S "$source" -B "$build" -G Ninja "${OPTIONS[@]}"; fi
    # The first one asks ninja for a line a step, that setup can tell of them.
    NINJA_STATUS='[%f/%t] ' cmake --build "$build" --target "$@"
}

libraries() {
    local source=$1 build=$2 prefix=$3 gcc names=(mtmd llama-common llama-common-base cpp-httplib llama ggml ggml-cpu ggml-base)
    compile "$source" "$build" llama llama-common mtmd
    mkdir -p "$prefix"/lib/pkgconfig "$prefix"/include/llama-common/jinja "$prefix"/share/licenses/llama.cpp
    for name in "${names[@]}"; do
        find "$build" -name "lib$name.a" -exec cp {} "$prefix/lib/" \;
        [[ -f $prefix/lib/lib$name.a ]]
    done
    cp "$source"/include/*.h "$source"/ggml/include/*.h "$source"/tools/mtmd/mtmd.h \
        "$source"/tools/mtmd/mtmd-helper.h "$prefix/include/"
    # The interface of llama-common changes with every version: its headers are those of this very tree.
    cp "$source"/common/*.h "$prefix/include/llama-common/"
    cp "$source"/common/jinja/*.h "$prefix/include/llama-common/jinja/"
    cp "$source/LICENSE" "$source"/licenses/* "$prefix/share/licenses/llama.cpp/"
    # libstdc++ and libgomp are gcc's own; their folder is not on Swift's search path.
    gcc=$(dirname "$(g++ -print-file-name=libgomp.so)")
    cat >"$prefix/lib/pkgconfig/breeze-llama.pc" <<PC
prefix=\${pcfiledir}/../..
libdir=\${prefix}/lib
includedir=\${prefix}/include

Name: breeze-llama
Description: llama.cpp as static archives
Version: $VERSION
Cflags: -I\${includedir}
Libs: -L\${libdir} ${names[*]/#/-l} -L$gcc -lstdc++ -lgomp -lm -lpthread -ldl
PC
}

tools() {
    local source=$1 build=$2 folder=$3 name
    compile "$source" "$build" llama-server llama-bench llama-quantize
    mkdir -p "$folder"
    for name in llama-server llama-bench llama-quantize; do cp "$build/bin/$name" "$folder/"; done
}

case ${1:-} in
    key) key ;;
    prefix) echo "$(cache)/runtimes/llama/$VERSION-$(key)" ;;
    libraries | tools) "$@" ;;
    *)
        sed -n '5,8s/^#   //p' "$0" >&2
        exit 64
        ;;
esac
