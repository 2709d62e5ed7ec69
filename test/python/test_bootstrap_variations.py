"""Presets in other forms: what the plan of each has, and its bits in a ring of 2^9 coefficients."""

from __future__ import annotations

import json

import numpy as np
import pytest

import sluice as sl
from bootstrap_cells import SLOTS_FIRST, Cell, cells
from sluice import bootstrap
from sluice.errors import InvalidArgumentError
from sluice.precision import measure_precision
from test_cli import sluice

TINY = "insecure_tiny"

# Noise as forecast and the sine, 1.5 bits less. The sine leaves 14.7 bits of slots that are uniform in -1 ... 1 and
# 29.3 in two rounds, 21.7 and 17.7 of their coefficients where all slots are 256 and 16.
# fmt: off
BITS = [
    19.2, 32.4, 13.2, 27.8,
    16.0, 35.7, 13.2, 27.8,
    19.0, 31.9, 13.2, 27.8,
]
# fmt: on


@pytest.mark.parametrize("cell", cells(16, BITS), ids=str)
def test_forms_of_the_tiny_preset(cell: Cell):
    plan = bootstrap.plan(TINY, **cell.keywords())
    program = bootstrap.program(TINY, **cell.keywords(), complex_values=not cell.real, insecure=True)
    below = 2 if cell.order else 0  # SlotsToCoeffs' levels
    assert {output["level"] for output in json.loads(program.manifest)["outputs"]} == {plan.levels_left + below}
    assert {source["level"] for source in json.loads(program.manifest)["inputs"]} == {below + cell.rounds - 1}
    client = sl.Client(program.manifest, insecure=True)
    parts = np.random.default_rng(6).uniform(-1, 1, (2, plan.slots))
    values = parts[0] if cell.real else parts[0] + 1j * parts[1]
    result = client.decrypt(sl.Server(program, client.evaluation_keys)(client.encrypt(values)))
    precision = measure_precision(result, values)
    assert precision.bits_of_std > cell.bits
    if cell.order:  # the sine is felt by slots as such, and it is no better than theory says
        assert precision.bits_of_std < cell.bits + 2.5


@pytest.mark.parametrize("order", ["mod_raise_first", SLOTS_FIRST])
@pytest.mark.parametrize("slots", [256, 16])
@pytest.mark.parametrize("arcsine_degree", [1, 5])
def test_the_model_of_a_plan_agrees_with_its_program(order, slots, arcsine_degree):
    plan = bootstrap.plan(TINY, order=order, slots=slots, arcsine_degree=arcsine_degree)
    program = bootstrap.program_of(plan, complex_values=True, insecure=True)
    assert plan.expected_bits == pytest.approx(bootstrap.expected_bits(plan, program), abs=0.3)


def test_an_arcsine_takes_the_sine_back():
    """With slots first, 14.7 bits without one; noise allows 25."""
    program = bootstrap.program(TINY, order=SLOTS_FIRST, arcsine_degree=5, insecure=True)
    client = sl.Client(program.manifest, insecure=True)
    x = np.random.default_rng(7).uniform(-1, 1, 256)
    z = client.decrypt(sl.Server(program, client.evaluation_keys)(client.encrypt(x)))
    assert measure_precision(z, x).bits_of_std > 21


def test_what_a_variation_changes():
    full, few = bootstrap.plan("set1"), bootstrap.plan("set1", slots=1024)
    assert (few.slots, few.limbs, few.levels_left) == (1024, full.limbs, full.levels_left)
    assert few.log2_failure < full.log2_failure
    first = bootstrap.plan("set1", order=SLOTS_FIRST)
    assert (full.order, first.order) == ("mod_raise_first", SLOTS_FIRST)
    assert (first.input_level, first.levels_left) == (3, full.levels_left)
    twice = bootstrap.plan("set1", rounds=2, real=True)
    assert (twice.rounds, twice.log_gain, twice.real) == (2, 13, True)
    assert (twice.log_scale, twice.levels_left) == (65, 8)
    assert twice.log_q_left == pytest.approx(60 + 8 * 65, abs=2)
    assert twice.security_row and twice.log_qp <= 1747
    assert bootstrap.plan("set2", arcsine_degree=1).arcsine_degree == 1


@pytest.mark.parametrize(
    ("form", "refusal"),
    [
        ({"slots": 7}, "4 to 256 slots, a power of two; found 7"),
        ({"slots": 512}, "4 to 256 slots, a power of two; found 512"),
        ({"order": "backwards"}, "no order 'backwards'; mod_raise_first and slots_to_coefficients_first are right"),
        ({"rounds": 0}, "1 to 8 rounds; found 0"),
        ({"arcsine_degree": -3}, r"odd degree from 1 \(none\) to 63; found -3"),
    ],
)
def test_refusals(form, refusal):
    with pytest.raises(InvalidArgumentError, match=refusal):
        bootstrap.plan(TINY, **form)


def test_real_vectors_have_no_complex_values():
    with pytest.raises(InvalidArgumentError, match="no complex values"):
        bootstrap.program(TINY, real=True, complex_values=True, insecure=True)


def test_the_benchmark_of_a_form(tmp_path):
    cell = Cell(27.8, slots=16, real=True, order=SLOTS_FIRST, rounds=2)
    command = ["bench", "bootstrap", "--preset", TINY, "--insecure", "--runs", "2", *cell.options()]
    done = sluice(tmp_path, *command, "--json")
    assert done.returncode == 0, done.stderr
    said = json.loads(done.stdout)
    assert (said["slots"], said["real"], said["order"], said["rounds"]) == (16, True, SLOTS_FIRST, 2)
    assert list(said["precision"]) == ["real", "all"]
    assert said["precision"]["all"]["bits_of_std"] > cell.bits
    refused = sluice(tmp_path, "bench", "bootstrap", "--preset", TINY, "--insecure", "--slots", "7")
    assert refused.returncode == 1
    assert "a power of two; found 7" in refused.stderr
