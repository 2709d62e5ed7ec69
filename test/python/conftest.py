"""Fixtures of the Python tests."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable

import pytest

MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"
HOST_COMPILER = shutil.which("g++") or shutil.which("clang++")

# Stands in for nvcc: compiles the same source, beside the same headers, for the host.
HOST_NVCC = """#!/bin/sh
while [ $# -gt 0 ]; do
  case $1 in
    -I*) include=$1 ;;
    -o) shift; output=$1 ;;
    -ccbin) shift; compiler=$1 ;;
    *.cu) input=$1 ;;
  esac
  shift
done
exec "$compiler" -x c++ -shared -fPIC -O1 -std=c++20 -DSLUICE_CUDA_HOST_SHIM "$include" -o "$output" "$input"
"""


@pytest.fixture
def verify_mlir() -> Callable[[str], str]:
    """Parses and verifies a module by upstream's mlir-opt; gives it back in the generic form."""

    def verify(text: str) -> str:
        command = [MLIR_OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{text}"
        return done.stdout

    return verify


@pytest.fixture
def host_nvcc(tmp_path, monkeypatch):
    """SLUICE_NVCC is a script that compiles device code for the host."""
    if HOST_COMPILER is None:
        pytest.skip("no C++ compiler")
    script = tmp_path / "nvcc"
    script.write_text(HOST_NVCC)
    script.chmod(0o755)
    monkeypatch.setenv("SLUICE_NVCC", str(script))
