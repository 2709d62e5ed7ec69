"""Bootstraps on ciphertexts of small insecure rings: the same values, at the level that the plan says."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import pytest

import ckks
from bootstraps import PASSES, Plan, bits, bootstrap_vector, evaluated, run
from residues import tool

BASE = Plan()


@pytest.mark.parametrize(
    ("plan", "least"),
    [
        pytest.param(BASE, 19, id="two and two factors"),
        # One matrix divides by everything at once, so that its entries have few bits.
        pytest.param(replace(BASE, coefficients_to_slots=(8,), slots_to_coefficients=(8,)), 16, id="one factor each"),
        pytest.param(
            replace(BASE, coefficients_to_slots=(3, 1, 4), slots_to_coefficients=(2, 5, 1)), 19, id="uneven groups"
        ),
        pytest.param(
            replace(BASE, log_n=5, coefficients_to_slots=(2, 2), slots_to_coefficients=(3, 1)), 23, id="N = 32"
        ),
        pytest.param(replace(BASE, degree=118, double_angles=2), 18, id="a long series"),
        # Each of five squares would double what the limbs differ by, if the first scale did not make up for it.
        pytest.param(replace(BASE, small_limb=47), 16, id="limbs of two sizes"),
        # Half of q0 away from overflow the sine alone is good for 4 bits.
        pytest.param(replace(BASE, log_scale=47, arcsine_degree=7), 19, id="arcsine"),
    ],
)
def test_values_come_back_at_the_level_of_the_plan(tmp_path, plan, least):
    x = np.random.default_rng(3).uniform(-1, 1, plan.slots)
    z, level = run(tmp_path, plan.module([plan.bootstrap("%x", "%z")], {"z": plan.result}), {"x": x}, ["z"])["z"]
    assert level == plan.result_level
    assert bits(z, evaluated(plan, x).real) > least


def test_what_is_bootstrapped_can_be_computed_on_and_bootstrapped_again(tmp_path):
    plan = BASE
    x = np.random.default_rng(4).uniform(-1, 1, plan.slots)
    top = plan.result
    limb = 3 + plan.levels_left  # the one that level 2 has and level 1 has not
    wide = f"!ckks.ct<level = 2, scale = 2^{plan.log_scale} * q{limb}>"
    body = [
        plan.bootstrap("%x", "%y"),
        f"%p = ckks.mul_scalar %y {{value = -0.5, scale = #ckks.scale<q{limb}>}} : {top} -> {wide}",
        f"%r = ckks.rescale %p : {wide} -> {plan.ct(1)}",
        f"%d = ckks.drop_level %r : {plan.ct(1)} -> {plan.ct(0)}",
        plan.bootstrap("%d", "%e"),
        f"%z = ckks.add %e, %y : {top}",
    ]
    z, level = run(tmp_path, plan.module(body, {"z": top}), {"x": x}, ["z"])["z"]
    assert level == 2
    assert bits(z, x / 2) > 17


def far_prime(log_n: int) -> int:
    """An NTT prime near 0.7 * 2^50: its logarithm is half a bit from the next integer."""
    step = 2 << log_n
    q = int(0.7 * 2**50) // step * step + 1
    while not ckks.is_prime(q):
        q -= step
    return q


@pytest.mark.parametrize("is_slots_first", [False, True], ids=["modulus first", "slots first"])
def test_any_first_prime_and_any_scale_of_the_result_will_do(tmp_path, is_slots_first):
    plan = Plan(
        log_n=7,
        degree=30,
        coefficients_to_slots=(3, 3),
        slots_to_coefficients=(3, 3),
        is_slots_first=is_slots_first,
        first_limb=far_prime(7),
        arcsine_degree=7,
        result_scale="2^65 * q5^(-1/2)",
    )
    rng = np.random.default_rng(5)
    values = rng.uniform(-1, 1, plan.slots) + 1j * rng.uniform(-1, 1, plan.slots)
    z, level = bootstrap_vector(tmp_path, plan, values)
    assert level == plan.result_level
    assert bits(z, values) > 23
    manifest = json.loads((tmp_path / "m.json").read_text())
    assert [output["scale"]["exact"] for output in manifest["outputs"]] == ["2^65 * q5^(-1/2)"] * 2


def test_slots_that_share_a_mean_meet_the_sine(tmp_path):
    """All slots 1 are one large coefficient: the sine's third power shows, as much as theory says."""
    plan = replace(BASE, log_scale=45)
    x = np.ones(plan.slots)
    z, _ = run(tmp_path, plan.module([plan.bootstrap("%x", "%z")], {"z": plan.result}), {"x": x}, ["z"])["z"]
    expected = evaluated(plan, x).real
    assert abs(z.mean() - expected.mean()) < 1e-4 < 1 - expected.mean()


def test_the_expansion_keeps_no_bootstrap(tmp_path):
    source = tmp_path / "source.mlir"
    source.write_text(BASE.module([BASE.bootstrap("%x", "%z")], {"z": BASE.result}))
    expanded = tool("sluice-opt", *PASSES, source).stdout
    assert "ckks.bootstrap" not in expanded
    assert "ckks.mod_raise" in expanded
