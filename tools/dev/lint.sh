#!/usr/bin/env bash
# lint.sh BUILD: formatting, layering, length of files, ruff, types, clang-tidy (on files that changed since they passed).
# Prints what is wrong; exits 1 if anything is. BUILD must be up to date: types need the stubs of the native modules, and
# clang-tidy the generated and the precompiled headers.
set -uo pipefail
cd "$(dirname "$0")/../.."
build=${1:?usage: lint.sh BUILD}
python=.venv/bin/python
failed=0
check() { # check NAME COMMAND...
  local name=$1
  shift
  if "$@"; then echo "lint: $name ok"; else
    echo "lint: $name FAILED"
    failed=1
  fi
}
clang_format() { git ls-files -z '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -0 clang-format-22 --dry-run --Werror; }
file_sizes() {
  git ls-files -z '*.cpp' '*.h' '*.cu' '*.cuh' '*.td' '*.py' | xargs -0 awk '
    FNR == 501 {print FILENAME ": more than 500 lines"; bad = 1; nextfile}
    END {exit bad}'
}
banners() { # What is longer than a line, clang-format breaks in two without a word.
  git ls-files -z '*.cpp' '*.h' '*.cu' '*.cuh' | xargs -0 awk '
    FNR == 1 && /^\/\/===-/ && !/===\/\/$/ {print FILENAME ": the banner is longer than a line"; bad = 1}
    /^\/\/===-+===\/\/$/ && length > 100 {print FILENAME ":" FNR ": more than 100 columns"; bad = 1}
    END {exit bad}'
}
types() { # The package as built, since the stubs of its native modules are made there: another cache than for its sources.
  "$python" -m mypy --no-error-summary --cache-dir "$build/mypy" "$build/python/sluice"
}

check clang-format clang_format
check banners banners
check layers "$python" tools/dev/check_layers.py
check file-sizes file_sizes
check ruff-format "$python" -m ruff format --check --quiet .
check ruff "$python" -m ruff check --quiet .
check types types
check clang-tidy "$python" tools/dev/tidy.py "$build"
exit $failed
