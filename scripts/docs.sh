#!/usr/bin/env bash
# Builds the documentation of every library that has a catalog (Sources/…/Module.docc) into .docs, with the
# toolchain's own docc, so that no consumer fetches a plugin. A warning in any fails it. Called by `make docs`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

SWIFT=${SWIFT:-swift}
SCRATCH=${SCRATCH:-.build}
TARGET=$("$SWIFT" -print-target-info |
    python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["unversionedTriple"])')
TOOLS=$(dirname "$(readlink -f "$(command -v "$SWIFT")")")
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT

mapfile -t catalogs < <(find Sources -type d -name '*.docc' | LC_ALL=C sort)
if ((${#catalogs[@]} == 0)); then
    echo 'docs: no library has a catalog' >&2
    exit 1
fi
for catalog in "${catalogs[@]}"; do
    module=$(basename "$catalog" .docc)
    echo "docs: $module"
    "$SWIFT" build --quiet --scratch-path "$SCRATCH" --traits "${TRAITS:-Hub}" --target "$module"
    # SwiftPM writes the module maps of C targets into their build folders.
    includes=(-I "$SCRATCH/debug/Modules")
    while read -r map; do
        includes+=(-I "$(dirname "$map")")
    done < <(compgen -G "$SCRATCH/debug/*.build/module.modulemap")
    mkdir -p "$WORK/graphs/$module"
    "$TOOLS/swift-symbolgraph-extract" -module-name "$module" -target "$TARGET" -minimum-access-level public \
        -skip-synthesized-members "${includes[@]}" -output-dir "$WORK/graphs/$module"
done
python3 scripts/link-modules.py "$WORK/graphs"
failed=()
mkdir "$WORK/archives"
for catalog in "${catalogs[@]}"; do
    module=$(basename "$catalog" .docc)
    "$TOOLS/docc" convert "$catalog" --additional-symbol-graph-dir "$WORK/graphs/$module" --warnings-as-errors \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --output-path "$WORK/archives/$module.doccarchive" || failed+=("$module")
done
if ((${#failed[@]} > 0)); then
    echo "docs: there are warnings in ${failed[*]}" >&2
    exit 1
fi
rm -rf .docs
mv "$WORK/archives" .docs
echo "docs: ${#catalogs[@]} archives in .docs"
