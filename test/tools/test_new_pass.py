"""tools/dev/new_pass.py on a copy of the passes."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
EDITED = ("passes/Passes.td", "passes/CMakeLists.txt", "passes/Pipelines.cpp")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    (tmp_path / "passes").mkdir()
    (tmp_path / "test/passes").mkdir(parents=True)
    for file in EDITED:
        shutil.copy(ROOT / file, tmp_path / file)
    return tmp_path


def run(repository: Path, flag: str, after: str = "expand-base-changes") -> subprocess.CompletedProcess[str]:
    command = [sys.executable, str(ROOT / "tools/dev/new_pass.py"), flag, "--after", after]
    command += ["--summary", "divides once where two divisions follow each other"]
    command += ["--reason", "divisions are visible only after the expansion", "--root", str(repository)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def test_writes_and_edits_what_the_howto_names(repository: Path):
    result = run(repository, "merge-divisions")
    assert result.returncode == 0, result.stderr
    assert result.stdout.split() == [*EDITED, "passes/MergeDivisions.cpp", "test/passes/merge-divisions.mlir"]
    lines = (repository / "passes/Pipelines.cpp").read_text().splitlines()
    here = lines.index("  passes.addPass(createExpandBaseChanges());")
    assert lines[here + 1 : here + 3] == [
        "  // Divisions are visible only after the expansion.",
        "  passes.addPass(createMergeDivisions());",
    ]
    sources = (repository / "passes/CMakeLists.txt").read_text().splitlines()
    assert sources[sources.index("  ExpandBaseChanges.cpp") + 1] == "  MergeDivisions.cpp"
    assert "RUN: sluice-opt --merge-divisions" in (repository / "test/passes/merge-divisions.mlir").read_text()


def test_the_entry_is_valid_tablegen_beside_the_others(repository: Path):
    generator = Path("/usr/lib/llvm-22/bin/mlir-tblgen")
    if not generator.exists():
        pytest.skip("LLVM 22 is not installed")
    run(repository, "merge-divisions")
    command = [str(generator), "-gen-pass-decls", "-name", "Sluice", "-I", "/usr/lib/llvm-22/include"]
    command.append(str(repository / "passes/Passes.td"))
    declarations = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    source = (repository / "passes/MergeDivisions.cpp").read_text()
    assert "GEN_PASS_DEF_MERGEDIVISIONS" in declarations and "GEN_PASS_DEF_MERGEDIVISIONS" in source


def test_the_source_is_formatted(repository: Path):
    formatter = shutil.which("clang-format-22")
    if formatter is None:
        pytest.skip("clang-format-22 is not installed")
    run(repository, "ckks-to-integers", after="pack-tensors")
    source = repository / "passes/CKKSToIntegers.cpp"
    shutil.copy(ROOT / ".clang-format", repository)
    subprocess.run([formatter, "--dry-run", "--Werror", str(source)], check=True)


@pytest.mark.parametrize(
    ("flag", "after", "message"),
    [
        (
            "MergeDivisions",
            "plan-memory",
            "'MergeDivisions' is no flag of a pass; write verb-noun or a-to-b in lower case",
        ),
        ("merge-divisions", "plan-lunch", "passes/Passes.td has no pass 'plan-lunch'"),
        ("merge-divisions", "rns-to-runtime", "passes/Pipelines.cpp: 0 places fit instead of one"),
    ],
)
def test_refuses_and_writes_nothing(repository: Path, flag: str, after: str, message: str):
    before = {file: (repository / file).read_text() for file in EDITED}
    if after == "rns-to-runtime":
        pipelines = repository / EDITED[2]
        pipelines.write_text(pipelines.read_text().replace("createRNSToRuntime()", "createOther()"))
        before[EDITED[2]] = pipelines.read_text()
    result = run(repository, flag, after)
    assert result.returncode == 1
    assert result.stderr == f"new_pass.py: {message}\n"
    assert before == {file: (repository / file).read_text() for file in EDITED}
    assert not list((repository / "test/passes").iterdir())


def test_never_overwrites(repository: Path):
    assert run(repository, "merge-divisions").returncode == 0
    result = run(repository, "merge-divisions")
    assert result.returncode == 1
    assert result.stderr == "new_pass.py: passes/MergeDivisions.cpp exists already\n"
