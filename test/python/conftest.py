"""Fixtures of the Python tests."""

from __future__ import annotations

import subprocess
from collections.abc import Callable

import pytest

MLIR_OPT = "/usr/lib/llvm-22/bin/mlir-opt"


@pytest.fixture
def verify_mlir() -> Callable[[str], str]:
    """Parses and verifies a module by upstream's mlir-opt; gives it back in the generic form."""

    def verify(text: str) -> str:
        command = [MLIR_OPT, "--allow-unregistered-dialect", "--mlir-print-op-generic"]
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{done.stderr}\n{text}"
        return done.stdout

    return verify
