#!/usr/bin/env bash
# lint.sh BUILD: formatting, layering, clang-tidy on changed-or-all C++ files, ruff. Prints what is wrong; exits 1 if any.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${1:?usage: lint.sh BUILD}
failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@"; then echo "lint: $name ok"; else
    echo "lint: $name FAILED"
    failed=1
  fi
}

check clang-format bash -c "git ls-files '*.cpp' '*.h' | xargs -r clang-format-22 --dry-run --Werror"
check layers .venv/bin/python tools/dev/check_layers.py
check ruff-format .venv/bin/python -m ruff format --check --quiet .
check ruff .venv/bin/python -m ruff check --quiet .
check file-sizes bash -c "git ls-files '*.cpp' '*.h' '*.td' '*.py' | xargs wc -l | awk '\$2 != \"total\" && \$1 > 500 {print \$2 \": \" \$1 \" lines, more than 500\"; bad = 1} END {exit bad}'"
check clang-tidy bash -c "git ls-files 'dialects/*.cpp' 'passes/*.cpp' 'runtime/*.cpp' 'tools/*.cpp' | grep -v -e avx512 -e frontend | xargs -P $(nproc) -n 4 clang-tidy-22 --quiet -p $build --warnings-as-errors='*' 2>/dev/null"
exit $failed
