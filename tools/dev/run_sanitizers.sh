#!/usr/bin/env bash
# run_sanitizers.sh [SECONDS]: the runtime's tests under address and undefined-behaviour sanitizers, then every fuzz target for
# SECONDS (60) from its committed corpus. Findings are left in build/asan/findings. Ends with 'N passed, N failed'.
set -uo pipefail
cd "$(dirname "$0")/../.."
seconds=${1:-60}
build=build/asan
mkdir -p "$build"
{ cmake --preset asan && cmake --build "$build" -j "$(nproc)" && cmake --build "$build" -j "$(nproc)" --target sluice-unit-tests; } >"$build/build.log" 2>&1 ||
  { tail -n 40 "$build/build.log"; exit 1; }

passed=0
failed=0
report() { # report NAME STATUS LOG
  if [[ $2 -eq 0 ]]; then passed=$((passed + 1)); else
    failed=$((failed + 1))
    echo "FAILED: $1"
    tail -n 30 "$3"
  fi
}

for binary in "$build"/unit/*; do
  [[ -x $binary && -f $binary ]] || continue
  log=$build/$(basename "$binary").log
  "$binary" --gtest_brief=1 >"$log" 2>&1
  report "$(basename "$binary")" $? "$log"
done

mkdir -p "$build/findings"
for binary in "$build"/fuzz/*; do
  [[ -x $binary && -f $binary ]] || continue
  name=$(basename "$binary")
  work=$build/corpus/$name
  mkdir -p "$work"
  log=$build/$name.log
  # New inputs go to the work folder; the committed corpus is only read.
  "$binary" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -artifact_prefix="$build/findings/$name-" \
    "$work" "test/fuzz/corpus/$name" >"$log" 2>&1
  report "$name" $? "$log"
  echo "fuzz: $name: $(grep -oE '^Done [0-9]+ runs in [0-9]+ second' "$log" || echo 'stopped early')"
done
echo "$passed passed, $failed failed"
[[ $failed -eq 0 && $passed -gt 0 ]]
