#!/usr/bin/env bash
# Fails on a script that does not parse, and runs the scripts' own tests. Called by `make lint`.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

for script in .ci/run scripts/*.sh; do
    bash -n "$script"
done
if command -v shellcheck >/dev/null; then shellcheck .ci/run scripts/*.sh; fi
find scripts Tests -name '*.py' -print0 | xargs -0 python3 -c '
import ast, pathlib, sys
for name in sys.argv[1:]:
    ast.parse(pathlib.Path(name).read_text(), name)'
PYTHONDONTWRITEBYTECODE=1 python3 -m unittest discover --start-directory scripts/tests --buffer
