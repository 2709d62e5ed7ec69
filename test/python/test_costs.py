"""Cost files given to compilations: forecasts counted by hand, figures that travel with the text, refusals."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import sluice as sl

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))
FAMILIES = [
    "ntt",
    "intt",
    "copy",
    "zero",
    "add",
    "sub",
    "negate",
    "mul",
    "mac",
    "mul_scalar",
    "add_scalar",
    "sub_mul_scalar",
    "automorphism",
    "base_convert_source",
    "base_convert_destination",
    "base_convert_term",
    "inner_product",
    "inner_product_digit",
    "ntt_rows",
    "intt_rows",
    "base_convert_columns_source",
    "base_convert_columns_destination",
    "base_convert_columns_term",
]


def cost_file(path: Path, ns: float = 1.0, **others: float) -> Path:
    """One price for everything, wherever the operands are, but for the families in `others`."""
    prices = {family: [others.get(family, ns)] * 5 for family in FAMILIES}
    times = {family: {"cached": price, "memory": price} for family, price in prices.items()}
    table = {"threads": 1, "ns": times, "reach": [[]] * 5}
    costs = {"format": "sluice-costs", "version": 2, "cpu": "none", "kernels": "none", "log_n": [12, 13, 14, 15, 16]}
    path.write_text(json.dumps({**costs, "tables": [table]}))
    return path


def negated(x: Any) -> Any:
    return -x


def cubed(x: Any) -> Any:
    return x * x * x + x.sum()


def compiled(function: Any, costs: Path | None) -> sl.Program:
    return sl.compile(function, sl.Secret(8, range=(-1, 1)), precision=12, costs=costs)


def manifest(program: sl.Program) -> dict[str, Any]:
    return json.loads(program.manifest)


def test_a_negation_is_counted_by_hand(tmp_path):
    program = compiled(negated, cost_file(tmp_path / "c.json", 2, negate=3))
    described = manifest(program)
    words = len(described["levels"][0]) << described["ring"]["log_n"]
    # Two polynomials in and two out, a copy each at 2 ns a residue; two negations at 3 ns.
    assert described["forecast"]["time_ms"] == pytest.approx((4 * 2 + 2 * 3) * words * 1e-6)
    assert "ms a run expected on one thread" in str(program)


def test_twice_the_costs_are_twice_the_time(tmp_path):
    once = manifest(compiled(cubed, cost_file(tmp_path / "once.json")))
    twice = manifest(compiled(cubed, cost_file(tmp_path / "twice.json", 2)))
    assert twice["forecast"].pop("time_ms") == pytest.approx(2 * once["forecast"].pop("time_ms"))
    assert twice["forecast"] == once["forecast"]
    assert twice["program"]["id"] == once["program"]["id"], "no pass chooses otherwise"


def test_without_a_file_a_generic_cpu_is_assumed():
    program = compiled(cubed, None)
    assert manifest(program)["forecast"]["time_ms"] > 0
    assert "sluice.costs" not in program.stage("fused").text


def test_the_figures_travel_with_the_text(tmp_path):
    program = compiled(cubed, cost_file(tmp_path / "c.json", 7))
    (tmp_path / "settled.mlir").write_text(program.stage("settled").text)
    command = [str(BUILD / "bin" / "sluice-compile"), "--from=settled", "settled.mlir", "-o", "p.sluice", "--json"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["time_ms"] == manifest(program)["forecast"]["time_ms"]
    command += [f"--costs={cost_file(tmp_path / 'other.json', 14)}"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout)["time_ms"] == pytest.approx(2 * manifest(program)["forecast"]["time_ms"])


def test_a_file_that_is_missing_or_wrong_is_refused(tmp_path):
    with pytest.raises(sl.SluiceError, match=r"nowhere\.json"):
        compiled(negated, tmp_path / "nowhere.json")
    wrong = cost_file(tmp_path / "wrong.json", -1)
    with pytest.raises(sl.SluiceError, match=r"wrong.json: tables\[0\].ns.ntt.cached\[0\]: -1 is not in 0 to 1e\+06"):
        compiled(negated, wrong)
    with pytest.raises(sl.SluiceError, match="costs must be the path of a cost file, not 3"):
        sl.compile(negated, sl.Secret(8, range=(-1, 1)), costs=3)  # type: ignore[arg-type]


def test_arena_counts_scratch(tmp_path):
    program = compiled(cubed, None)
    text, described = program.stage("fused").text, manifest(program)

    def slots(name: str) -> int:
        return int(text.split(f"rns.{name}_slots = ")[1].split()[0])

    bytes_a_slot = 8 << described["ring"]["log_n"]
    assert described["forecast"]["arena_bytes"] == (slots("arena") + slots("scratch")) * bytes_a_slot
