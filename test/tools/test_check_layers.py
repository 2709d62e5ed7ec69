"""tools/dev/check_layers.py: the repository follows its arrows, and each kind of wrong arrow is noticed."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def check(root: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/dev/check_layers.py"), "--root", str(root)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_the_repository_follows_its_arrows():
    result = check(ROOT)
    assert result.returncode == 0, result.stdout


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "pyproject.toml").write_text('[project]\nname = "x"\ndependencies = ["numpy==2.4.6"]\n')
    return tmp_path


def write(root: Path, path: str, text: str) -> None:
    (root / path).parent.mkdir(parents=True, exist_ok=True)
    (root / path).write_text(text)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("runtime/exec/executor.cpp", '#include "runtime/wire/section.h"\n#include "runtime/base/status.h"\n'),
        ("runtime/cpu/backend.h", '#include "runtime/exec/backend.h"\n'),
        ("passes/algorithms/LevelSearch.h", '#include "dialects/CKKS/Scale.h"\n#include <vector>\n'),
        ("passes/driver/Compile.cpp", '#include "dialects/CKKS/CKKSOps.h"\n#include "mlir/IR/BuiltinOps.h"\n'),
        ("passes/driver/ArtifactWriter.cpp", '#include "runtime/wire/manifest.h"\n'),
        ("passes/CKKSToRNS.cpp", '#include "dialects/CKKS/CKKSOps.h"\n#include "dialects/RNS/RNSOps.h"\n'),
        ("frontend/bindings/client.cpp", '#include "runtime/client/encryptor.h"\n#include <nanobind/nanobind.h>\n'),
        (
            "frontend/sluice/program.py",
            "import json\nimport numpy as np\nfrom . import _sluice\nfrom sluice import client\n",
        ),
    ],
)
def test_right_arrows_pass(repository: Path, path: str, text: str):
    write(repository, path, text)
    result = check(repository)
    assert (result.returncode, result.stdout) == (0, "")


@pytest.mark.parametrize(
    ("path", "text", "message"),
    [
        (
            "runtime/exec/executor.cpp",
            '// ...\n#include "runtime/client/encryptor.h"\n',
            "runtime/exec/executor.cpp:2: runtime/exec includes runtime/client/encryptor.h; it may use runtime/abi,",
        ),
        (
            "runtime/client/encoder.h",
            '#include "runtime/exec/program.h"\n',
            "runtime/client/encoder.h:1: runtime/client includes runtime/exec/program.h;",
        ),
        (
            "runtime/ring/modulus.h",
            "#include <llvm/ADT/APInt.h>\n",
            "runtime/ring/modulus.h:1: runtime/ring includes llvm/ADT/APInt.h;",
        ),
        (
            "runtime/base/status.h",
            '#include "passes/Pipelines.h"\n',
            "runtime/base/status.h:1: runtime/base includes passes/Pipelines.h; it may use runtime/abi",
        ),
        (
            "runtime/cpu/backend.cpp",
            '#include "runtime/exec/executor.h"\n',
            "runtime/cpu/backend.cpp:1: runtime/cpu includes runtime/exec/executor.h;",
        ),
        (
            "runtime/kernels/ntt/ntt_scalar.cpp",
            '#include "runtime/ring/ring.h"\n',
            "runtime/kernels/ntt/ntt_scalar.cpp:1: runtime/kernels includes runtime/ring/ring.h;",
        ),
        (
            "dialects/RNS/RNSOps.td",
            'include "dialects/CKKS/CKKSTypes.td"\n',
            "dialects/RNS/RNSOps.td:1: dialects/RNS includes dialects/CKKS/CKKSTypes.td; it may use mlir",
        ),
        (
            "dialects/CKKS/Scale.cpp",
            '#include "mlir/IR/Attributes.h"\n',
            "dialects/CKKS/Scale.cpp:1: dialects/CKKS/Scale includes mlir/IR/Attributes.h; it may use no other layer",
        ),
        (
            "passes/algorithms/Remez.cpp",
            '#include "dialects/CKKS/CKKSOps.h"\n',
            "passes/algorithms/Remez.cpp:1: passes/algorithms includes dialects/CKKS/CKKSOps.h;",
        ),
        (
            "passes/PlanMemory.cpp",
            '#include "dialects/RNS/RNSOps.h"\n#include "dialects/CKKS/CKKSOps.h"\n',
            "passes/PlanMemory.cpp:2: knows both dialects; only ",
        ),
        (
            "passes/Hoist.cpp",
            '#include "runtime/exec/program.h"\n',
            "passes/Hoist.cpp:1: passes includes runtime/exec/program.h;",
        ),
        (
            "passes/Hoist.cpp",
            '#include "runtime/wire/manifest.h"\n',
            "passes/Hoist.cpp:1: passes includes runtime/wire/manifest.h;",
        ),
        (
            "tools/sluice-run/main.cpp",
            '#include "passes/driver/Compile.h"\n',
            "tools/sluice-run/main.cpp:1: tools/sluice-run includes passes/driver/Compile.h;",
        ),
        (
            "passes/Hoist.cpp",
            '#include "../dialects/RNS/RNSOps.h"\n',
            "passes/Hoist.cpp:1: includes ../dialects/RNS/RNSOps.h; write it from the root of the repository",
        ),
        (
            "frontend/sluice/program.py",
            "import os\nimport torch.nn\n",
            "frontend/sluice/program.py:2: imports torch, which is no dependency in pyproject.toml",
        ),
        (
            "test/python/test_x.py",
            "def f():\n    from mlir import ir\n",
            "test/python/test_x.py:2: imports mlir; MLIR is used from C++ only",
        ),
    ],
)
def test_wrong_arrows_are_named(repository: Path, path: str, text: str, message: str):
    write(repository, path, text)
    result = check(repository)
    assert result.returncode == 1
    assert result.stdout.startswith(message), result.stdout
    assert result.stdout.count("\n") == 1
