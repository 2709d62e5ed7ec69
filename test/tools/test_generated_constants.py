"""An artifact holds what generates the matrices of a bootstrap, not their diagonals, and is the same program."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import numpy as np
import pytest

from bootstraps import PASSES, Plan, embedding
from residues import compile_settled, read_sections, tool

FULL = Plan(log_n=6, coefficients_to_slots=(2, 3), slots_to_coefficients=(4, 1))
SPARSE = replace(FULL, log_slots=3, coefficients_to_slots=(1, 2), slots_to_coefficients=(2, 1))
GENERATOR = re.compile(r", generator = #ckks\.dft_matrix<[^>]*>")


def compile_both(folder, plan):
    """(constants of the program section, section `constant`) with generators, and without."""
    source, expanded = folder / "source.mlir", folder / "expanded.mlir"
    source.write_text(plan.module([plan.bootstrap("%x", "%z")], {"z": plan.result}))
    tool("sluice-opt", *PASSES[:2], source, "-o", expanded)
    without = GENERATOR.sub("", expanded.read_text())
    assert "dft" not in without
    (folder / "without.mlir").write_text(without)
    results = []
    for name in ("expanded", "without"):
        lowered, artifact = folder / f"{name}_lowered.mlir", folder / f"{name}.sluice"
        tool("sluice-opt", PASSES[2], folder / f"{name}.mlir", "-o", lowered)
        compile_settled(lowered, "-o", artifact)
        parts = read_sections(artifact)
        results.append((json.loads(parts["program"])["constants"], np.frombuffer(parts["constant"])))
    return results


@pytest.mark.parametrize("plan", [FULL, SPARSE, replace(FULL, is_slots_first=True, is_real=True)])
def test_diagonals_are_generated_and_nothing_else_changes(tmp_path, plan):
    (generated, values), (dense, all_values) = compile_both(tmp_path, plan)
    assert len(generated) == len(dense)
    is_generated = [constant["kind"] == "dft_diagonal" for constant in generated]
    assert sum(is_generated) > 10
    pairs = 0
    for new, old in zip(generated, dense, strict=True):
        for key in ("scale", "limbs"):
            assert new[key] == old[key]
        assert new.get("slots") == old.get("slots")
        if new["kind"] == "dft_diagonal":
            assert old["complex"] and old["count"] in (plan.slots, 2 * plan.slots)
            pairs += old["count"]
        else:
            kept = new["count"] * (1 + new["complex"])
            np.testing.assert_array_equal(values[new["offset"] :][:kept], all_values[old["offset"] :][:kept])
    assert values.nbytes < 100 < 16 * pairs


def test_what_generates_a_matrix_is_the_embedding(tmp_path):
    """The diagonals in the artifact without generators are those of SF, its columns in bit-reversed order."""
    plan = replace(FULL, slots_to_coefficients=(5,))
    (generated, _), (dense, values) = compile_both(tmp_path, plan)
    n = plan.slots
    matrix = np.zeros((n, n), dtype=complex)
    for new, old in zip(generated, dense, strict=True):
        if new["kind"] == "dft_diagonal" and new["matrix"]["direction"] == "slots_to_coefficients":
            entries = values[old["offset"] :][: 2 * n].view(complex) / new["matrix"]["factor"]
            rows = (np.arange(n) + new["rotation"]) % n
            matrix[rows, (rows + new["index"]) % n] += entries
    reversed_ = [int(f"{i:05b}"[::-1], 2) for i in range(n)]
    np.testing.assert_allclose(matrix[:, reversed_], embedding(n), atol=1e-14)
