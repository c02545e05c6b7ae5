#!/usr/bin/env bash
# Shows an eviction, a refusal and a trim: under a set budget, then in a real memory control group. Needs two
# installed runners and, for the second half, the right to make a group; says so where it is missing.
# Usage: scripts/show-residency.sh PROGRAM RUNNER RUNNER
set -euo pipefail
program=$1 first=$2 second=$3

show() {
    echo "\$ breeze residency $*"
    "$program" residency "$@" || echo "exit $?"
}

size=$("$program" runners --json | python3 -c '
import json, sys
runners = {r["id"]: r for r in json.load(sys.stdin)["runners"]}
print(runners[sys.argv[1]]["memoryEstimate"] >> 20)' "$first")
show --set "residency.budget=$((size * 3 / 2))MiB" "$first" "$second"
show --set "residency.budget=$((size * 3 / 2))MiB" --pin "$first" "$first" "$second"

group=/sys/fs/cgroup/memory/breeze-show limit=memory.limit_in_bytes usage=memory.usage_in_bytes
if [[ ! -d /sys/fs/cgroup/memory ]]; then
    group=/sys/fs/cgroup/breeze-show limit=memory.max usage=memory.current
fi
if ! mkdir "$group" 2>/dev/null || [[ ! -w $group/$limit ]]; then
    rmdir "$group" 2>/dev/null || true
    echo "skipped: no memory control group can be made here (root, or a delegated group, is needed)"
    exit 0
fi
trap 'sleep 1; rmdir "$group"' EXIT
inside() { bash -c 'echo $$ > "$0/cgroup.procs"; exec "$@"' "$group" "$@"; }

for mebibytes in $((size * 5 / 3)) $((size * 21 / 20)); do
    echo $((mebibytes << 20)) >"$group/$limit"
    echo "\$ [$limit=${mebibytes}MiB] breeze residency $first $second"
    inside "$program" residency "$first" "$second" || echo "exit $?"
done

echo $(((size * 3) << 20)) >"$group/$limit"
echo "\$ [$limit=$((size * 3))MiB] breeze residency --hold 12 $first $second, and a neighbour that takes memory"
inside "$program" residency --hold 12 "$first" "$second" &
sleep 6
inside python3 -c '
import sys, time
limit, usage = int(sys.argv[1]), int(open(sys.argv[2]).read())
block = bytearray(max(0, limit - usage - limit // 30))
block[::4096] = b"x" * len(block[::4096])
time.sleep(4)' $(((size * 3) << 20)) "$group/$usage"
wait
