#!/usr/bin/env bash
# Builds the documentation of every library that has a catalog (Sources/…/Module.docc) into .docs, with the
# toolchain's own docc, so that no consumer fetches a plugin. A warning fails it, after all modules are through: a
# link to a symbol of another module is one (docc knows one module at a time). Called by `make docs`.
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
failed=()
for catalog in "${catalogs[@]}"; do
    module=$(basename "$catalog" .docc)
    echo "docs: $module"
    "$SWIFT" build --quiet --scratch-path "$SCRATCH" --traits "${TRAITS:-Hub}" --target "$module"
    mkdir "$WORK/$module"
    "$TOOLS/swift-symbolgraph-extract" -module-name "$module" -target "$TARGET" -minimum-access-level public \
        -skip-synthesized-members -I "$SCRATCH/debug/Modules" -output-dir "$WORK/$module"
    "$TOOLS/docc" convert "$catalog" --additional-symbol-graph-dir "$WORK/$module" --warnings-as-errors \
        --fallback-display-name "$module" --fallback-bundle-identifier "$module" \
        --output-path "$WORK/$module.doccarchive" || failed+=("$module")
done
if ((${#failed[@]} > 0)); then
    echo "docs: there are warnings in ${failed[*]}" >&2
    exit 1
fi
mkdir -p .docs
for catalog in "${catalogs[@]}"; do
    module=$(basename "$catalog" .docc)
    rm -rf ".docs/$module.doccarchive"
    mv "$WORK/$module.doccarchive" .docs/
done
echo "docs: ${#catalogs[@]} in .docs; look at one with: docc preview, or serve its folder"
