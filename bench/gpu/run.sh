#!/usr/bin/env bash
# run.sh FOLDER [STEP...]: on a machine with a GPU, nvcc and CMake, builds the runtime from this repository and the bundle that
# bench/gpu/pack.py left in build/gpu-bundle (or $SLUICE_BUNDLE), and leaves JSON and logs of each step in FOLDER.
#
# Steps: limits (rates and bandwidths), kernels (times), conformance (every kernel against the scalar row), programs (each
# packed program with keys made here: residues of both backends, times, profile), sanitizer (compute-sanitizer), counters
# (hardware counters of the kernels that SLUICE_KERNELS, a regular expression, names in the program SLUICE_PROGRAM). All but
# the last if none is named. A failed step ends the run.
set -euo pipefail
cd "$(dirname "$0")/../.."
mkdir -p "${1:?usage: run.sh FOLDER [STEP...]}"
results=$(cd "$1" && pwd)
shift
steps=("$@")
((${#steps[@]})) || steps=(limits kernels conformance programs sanitizer)
bundle=${SLUICE_BUNDLE:-$PWD/build/gpu-bundle}
build=build/gpu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc=(nvcc -O3 -std=c++20 -arch=sm_90 -I.)
runs=${SLUICE_RUNS:-20}
device=${SLUICE_DEVICE:-cuda} # emulated:PATH to try this script where there is no GPU

wants() { [[ " ${steps[*]} " == *" $1 "* ]]; }
say() { echo "gpu: $(date +%T) $*" >&2; }

if [[ $device == cuda ]]; then
  nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.max.sm,clocks.max.mem --format=csv | tee "$results/device.csv"
fi
lscpu | grep -E 'Model name|^CPU\(s\)' || true

build_runtime() {
  say "building"
  cmake -S . -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DSLUICE_ENABLE_COMPILER=OFF -DSLUICE_ENABLE_PYTHON=OFF \
    -DSLUICE_BUNDLE="$bundle" >"$results/build.log" 2>&1 || { tail -30 "$results/build.log"; exit 1; }
  cmake --build "$build" -j "$(nproc)" --target "$@" >>"$results/build.log" 2>&1 || { grep -A8 -E 'error|FAILED' "$results/build.log" | head -60; exit 1; }
}

measure() { # NAME [SOURCE...]: bench/gpu/NAME.cu and what it needs
  say "$1"
  "${nvcc[@]}" -DSLUICE_LOG_N=16 "bench/gpu/$1.cu" "${@:2}" -o "$work/$1"
  "$work/$1" >"$results/$1.json"
  cat "$results/$1.json"
}

conformance() {
  say "compiling kernels for all degrees"
  mkdir -p "$work/modules"
  seq 3 17 | xargs -P "$(nproc)" -I@ "${nvcc[@]}" -std=c++17 -fatbin -DSLUICE_LOG_N=@ -x cu test/runtime/cuda/conformance_kernels.cpp -o "$work/modules/@.fatbin"
  say "conformance"
  SLUICE_CUDA_MODULES=$work/modules/ "$build/bin/runtime-cuda-device-conformance-test" >"$results/conformance.log" 2>&1 ||
    { tail -40 "$results/conformance.log"; exit 1; }
  tail -3 "$results/conformance.log"
}

# FOLDER FILES: keys of the program to FILES/keys, and input.npy, or input.NAME.npy for each of several inputs, to FILES/in.*.ct
prepare() {
  local values name
  "$build/bin/sluice-client" keygen "$1/program.sluice" --insecure-seed 1 --allow-insecure -o "$2/keys" --json
  for values in "$1"/input*.npy; do
    name=$(basename "$values" .npy)
    name=${name#input}
    "$build/bin/sluice-client" encrypt "$1/program.sluice" --insecure-seed 2 --allow-insecure --key "$2/keys/public.key" "$values" -o "$2/in$name.ct" ${name:+--input "${name#.}"} >&2
  done
}

# The outputs of both devices must be the same file; times are of the last of $runs runs.
program() { # FOLDER
  local name expected files=$work/$(basename "$1")
  name=$(basename "$1")
  mkdir -p "$files"
  say "$name: keys"
  prepare "$1" "$files" >"$results/$name.keygen.json"
  say "$name: cpu"
  "$build/bin/sluice-run" "$1/program.sluice" "$files"/in*.ct --keys "$files/keys/eval.keys" -o "$files/cpu.ct" --runs 2 --json >"$results/$name.cpu.json"
  say "$name: cuda"
  "$build/bin/sluice-run" "$1/program.sluice" "$files"/in*.ct --keys "$files/keys/eval.keys" -o "$files/cuda.ct" --device "$device" --runs "$runs" --json >"$results/$name.cuda.json"
  cat "$results/$name.cuda.json"
  sha256sum "$files/cpu.ct" "$files/cuda.ct" | sed "s#$files/##" | tee "$results/$name.sha256"
  cmp "$files/cpu.ct" "$files/cuda.ct" || { echo "gpu: $name: the residues differ" >&2; exit 1; }
  "$build/bin/sluice-run" "$1/program.sluice" "$files"/in*.ct --keys "$files/keys/eval.keys" -o "$files/cuda.ct" --device "$device" --profile "$results/$name.profile.json" --json >/dev/null
  "$build/bin/sluice-client" decrypt "$1/program.sluice" --key "$files/keys/secret.key" "$files/cuda.ct" --allow-insecure -o "$files/out.npy" --json >"$results/$name.decrypt.json"
  expected=$1/expected.npy
  [[ -e $expected ]] || expected=$1/input.npy
  python3 - "$expected" "$files/out.npy" <<'PYTHON' | tee "$results/$name.precision.json" || true
import json, sys
import numpy as np
expected, result = (np.load(path).astype(float).ravel() for path in sys.argv[1:3])
error = result[: expected.size] - expected
print(json.dumps({"bits_of_deviation": -np.log2(error.std()), "worst_bits": -np.log2(np.abs(error).max())}))
PYTHON
}

wants limits && measure limits
wants kernels && measure kernels runtime/cuda/conversion_shares.cpp
targets=()
wants conformance && targets+=(runtime-cuda-device-conformance-test)
{ wants programs || wants sanitizer || wants counters; } && targets+=(sluice-run sluice-client)
((${#targets[@]})) && build_runtime "${targets[@]}"
wants conformance && conformance
if wants programs; then
  for folder in "$bundle"/programs/*/; do program "${folder%/}"; done
fi
if wants sanitizer; then
  folder=$bundle/programs/insecure_tiny
  files=$work/sanitized
  mkdir -p "$files"
  prepare "$folder" "$files" >/dev/null
  for tool in memcheck racecheck initcheck; do
    say "compute-sanitizer $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 9 "$build/bin/sluice-run" "$folder/program.sluice" "$files"/in*.ct --keys "$files/keys/eval.keys" \
      -o "$files/out.ct" --device "$device" >"$results/sanitizer.$tool.log" 2>&1 || { tail -30 "$results/sanitizer.$tool.log"; exit 1; }
    tail -1 "$results/sanitizer.$tool.log"
  done
fi
if wants counters; then
  folder=$bundle/programs/${SLUICE_PROGRAM:-set1}
  files=$work/counted
  mkdir -p "$files"
  prepare "$folder" "$files" >/dev/null
  say "counters"
  ncu --clock-control none --graph-profiling node -k "regex:${SLUICE_KERNELS:-.}" -c "${SLUICE_LAUNCHES:-12}" --section LaunchStats --section Occupancy \
    --section SpeedOfLight --section MemoryWorkloadAnalysis --section WarpStateStats --section SchedulerStats --section InstructionStats \
    --section ComputeWorkloadAnalysis "$build/bin/sluice-run" "$folder/program.sluice" "$files"/in*.ct --keys "$files/keys/eval.keys" -o "$files/out.ct" --device cuda >"$results/counters.txt" 2>&1 ||
    { tail -30 "$results/counters.txt"; exit 1; }
fi
say "done"
