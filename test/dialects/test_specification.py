"""The .td files are the specification: examples, tests, docs/status.md and docs/reference must agree with them."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LLVM = Path("/usr/lib/llvm-22")
DIALECTS = {"ckks": "CKKS", "rns": "RNS"}

pytestmark = pytest.mark.skipif(not (LLVM / "bin/llvm-tblgen").exists(), reason="LLVM 22 is not installed")


@dataclass(frozen=True)
class Operation:
    """What the .td file says about one operation."""

    dialect: str
    name: str
    class_name: str
    description: str
    has_verifier: bool

    @property
    def full_name(self) -> str:
        return f"{self.dialect}.{self.name}"

    @property
    def constraints(self) -> list[int]:
        return sorted({int(number) for number in re.findall(r"\(C(\d+)\)", self.description)})


@cache
def operations(dialect: str) -> list[Operation]:
    source = f"dialects/{DIALECTS[dialect]}/{DIALECTS[dialect]}Ops.td"
    command = [str(LLVM / "bin/llvm-tblgen"), "--dump-json", "-I", str(ROOT), "-I", str(LLVM / "include"), source]
    records = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    return [
        Operation(
            dialect,
            record["opName"],
            name.removeprefix(f"{DIALECTS[dialect]}_"),
            record["description"],
            bool(record["hasVerifier"]),
        )
        for name in records["!instanceof"]["Op"]
        for record in [records[name]]
    ]


ALL = [op for dialect in DIALECTS for op in operations(dialect)] if (LLVM / "bin/llvm-tblgen").exists() else []
each_operation = pytest.mark.parametrize("op", ALL, ids=lambda op: op.full_name)


def test_operations_were_found():
    assert {"ckks.mul", "ckks.polynomial", "rns.ntt", "rns.inner_product"} <= {op.full_name for op in ALL}


@each_operation
def test_every_constraint_is_numbered_without_gaps_and_tested(op: Operation):
    assert op.constraints == list(range(1, len(op.constraints) + 1))
    tests = (ROOT / f"test/dialects/{op.dialect}/invalid.mlir").read_text()
    untested = [number for number in op.constraints if not re.search(rf"@{op.name}_c{number}[_(]", tests)]
    assert not untested, f"no @{op.name}_c{untested[0]} in test/dialects/{op.dialect}/invalid.mlir"


@each_operation
def test_the_example_stands_in_the_test_that_it_names(op: Operation):
    match = re.search(r"Example, from `(\S+)`:\s*```mlir\n(.*?)```", op.description, re.DOTALL)
    assert match, "the description has no example"
    path, example = match.groups()
    lines = [" ".join(line.split()) for line in (ROOT / path).read_text().splitlines()]
    test = " ".join(line for line in lines if not line.startswith("//"))
    for statement in re.split(r"\n(?=\s*%)", example.strip("\n")):
        assert " ".join(statement.split()) in test


def status_rows() -> dict[str, list[str]]:
    rows = {}
    for line in (ROOT / "docs/status.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            assert len(cells) == 6 and cells[0] not in rows, line
            rows[cells[0].strip("`")] = cells[1:]
    return rows


def test_status_lists_every_operation_and_no_other():
    assert sorted(status_rows()) == sorted(op.full_name for op in ALL)


@each_operation
def test_status_tells_the_specification_and_the_verifier(op: Operation):
    specification, verifier, *_ = status_rows()[op.full_name]
    assert specification == str(len(op.constraints))
    assert verifier == ("yes" if op.has_verifier else "types")
    assert op.has_verifier == bool(op.constraints)


@each_operation
def test_status_names_a_pass_that_lowers_the_operation(op: Operation):
    flag = status_rows()[op.full_name][2]
    declaration = re.search(rf'def (\w+) : Pass<"{flag}"', (ROOT / "passes/Passes.td").read_text())
    assert declaration, f"passes/Passes.td has no {flag}"
    source = (ROOT / f"passes/{declaration.group(1)}.cpp").read_text()
    if "isWithoutCode(" in source:  # what it shares with the writer of CUDA kernels
        source += (ROOT / "passes/FusedProgram.cpp").read_text()
    assert re.search(rf"\b{op.dialect}::{op.class_name}\b", source)


@each_operation
def test_status_names_what_runs_the_operation(op: Operation):
    cell = status_rows()[op.full_name][3]
    if cell == "view":
        return
    if cell.startswith("via "):
        assert set(cell.removeprefix("via ").split(", ")) <= {other.full_name for other in ALL}
        return
    functions = re.findall(r"^SLUICE_FUNCTION\((\w+),", (ROOT / "runtime/abi/functions.def").read_text(), re.MULTILINE)
    assert set(cell.split(", ")) <= set(functions)


@each_operation
def test_status_names_what_runs_the_operation_on_a_gpu(op: Operation):
    cpu, cuda = status_rows()[op.full_name][3:]
    assert (cuda == "as cpu") == (cpu == "view" or cpu.startswith("via "))
    if cuda == "as cpu":
        return
    kernels = "".join(path.read_text() for path in sorted((ROOT / "runtime/cuda/kernels").glob("*.cuh")))
    for name in cuda.split(", "):
        assert re.search(rf"(ResiduesOf<Block>|void) {name}\(|KERNEL\({name},|#define {name}\(", kernels), name


def test_every_function_of_the_abi_runs_some_operation():
    functions = set(
        re.findall(r"^SLUICE_FUNCTION\((\w+),", (ROOT / "runtime/abi/functions.def").read_text(), re.MULTILINE)
    )
    named = {function for row in status_rows().values() for function in row[3].split(", ")}
    # copy moves results that are also arguments, begin_stage is between operations; none asks for them.
    assert functions - named == {"copy", "begin_stage"}


def test_the_reference_pages_are_up_to_date():
    command = [sys.executable, str(ROOT / "tools/dev/generate_reference.py"), "--check"]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr


def test_the_reference_check_notices_a_stale_page(tmp_path: Path):
    command = [sys.executable, str(ROOT / "tools/dev/generate_reference.py"), "--output", str(tmp_path)]
    subprocess.run(command, check=True)
    assert subprocess.run([*command, "--check"], check=False).returncode == 0
    (tmp_path / "rns.md").write_text("something else\n")
    result = subprocess.run([*command, "--check"], capture_output=True, text=True, check=False)
    assert result.returncode == 1
    assert result.stderr == "docs/reference/rns.md is out of date; run make docs\n"
