"""The forms of a bootstrap: sparse and real vectors, SlotsToCoeffs first, several rounds, in every combination."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from bootstraps import Plan, bits, bootstrap_vector, evaluated, run

BASE = Plan(log_n=7, degree=30, coefficients_to_slots=(3, 3), slots_to_coefficients=(3, 3))
GAIN = 14  # bits a round


def of_slots(plan: Plan, log_slots: int) -> Plan:
    """The plan for 2^log_slots slots, in two groups of factors where there are so many."""
    large, small = (log_slots + 1) // 2, log_slots // 2
    return replace(
        plan,
        log_slots=log_slots,
        coefficients_to_slots=(large, small) if small else (large,),
        slots_to_coefficients=(small, large) if small else (large,),
    )


def cells(base: Plan, vectors: list[tuple[int, bool]]) -> list[Plan]:
    """Every combination, of vectors with so many slots (logarithms), complex or real."""
    return [
        replace(
            of_slots(base, log_slots),
            is_real=is_real,
            is_slots_first=is_slots_first,
            iterations=rounds,
            log_gain=GAIN * (rounds - 1),
            arcsine_degree=arcsine,
        )
        for (log_slots, is_real), is_slots_first, rounds, arcsine in product(vectors, (False, True), (1, 2), (1, 7))
    ]


def name(plan: Plan) -> str:
    return "-".join(
        [
            f"2^{plan.log_slots} {'real' if plan.is_real else 'complex'}",
            "slots first" if plan.is_slots_first else "modulus first",
            f"{plan.iterations} rounds" if plan.iterations > 1 else "1 round",
            "arcsine" if plan.arcsine_degree > 1 else "sine",
        ]
    )


def complex_vector(plan: Plan, seed: int) -> np.ndarray:
    rng = np.random.default_rng(seed)
    x, y = rng.uniform(-1, 1, (2, plan.slots))
    return x + 1j * y * (not plan.is_real)


def check(folder, plan: Plan, least: float) -> None:
    values = complex_vector(plan, 6)
    z, level = bootstrap_vector(folder, plan, values)
    assert level == plan.result_level
    assert bits(z, evaluated(plan, values)) > least + plan.log_gain


FULL, HALF = 6, 5
# Both values of what is left out here are in the long list below.
QUICK = [
    plan
    for plan in cells(BASE, [(FULL, False), (FULL, True), (HALF, False), (1, False), (3, True)])
    if (plan.arcsine_degree > 1) == (plan.is_slots_first != (plan.iterations > 1))
]


@pytest.mark.parametrize("plan", [pytest.param(plan, id=name(plan)) for plan in QUICK])
def test_forms(tmp_path, plan):
    # An error of EvalMod is one of a slot, or of a coefficient, of which every slot sees them all.
    is_amplified = not plan.is_slots_first and plan.log_slots >= HALF
    check(tmp_path, plan, 22.5 if is_amplified else 24)


LARGE = replace(BASE, log_n=10, degree=62)


@pytest.mark.slow
@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(plan, id=name(plan))
        for plan in cells(LARGE, [(9, False), (9, True), (8, False), (4, False), (1, False), (4, True)])
    ],
)
def test_forms_on_a_larger_ring(tmp_path, plan):
    check(tmp_path, plan, 17.5)


@pytest.mark.parametrize("is_nested", [True, False], ids=["nested levels", "a limb of its own"])
def test_rounds_add_their_bits(tmp_path, is_nested):
    """The first round comes back to the operand's level also where that has a limb that the result's has not."""
    found = []
    for rounds in (1, 2, 3):
        plan = replace(BASE, arcsine_degree=7, iterations=rounds, log_gain=10 * (rounds > 1), is_nested=is_nested)
        values = complex_vector(plan, 7)
        # Keys differ from run to run, and with them noise: one run of so few slots is up to a bit away from the mean.
        folders = [tmp_path / f"{rounds}-{keys}" for keys in range(4)]
        for folder in folders:
            folder.mkdir()
        runs = [bootstrap_vector(folder, plan, values)[0] for folder in folders]
        found.append(bits(np.array(runs), values))
    assert found[1] > found[0] + 9
    assert found[2] > found[1] + 9


def test_two_rounds_double_the_bits(tmp_path):
    """The first one is good for 24 bits: with 22 of them as the gain the second one begins where it ends."""
    plan = replace(BASE, arcsine_degree=7, iterations=2, log_gain=22)
    values = complex_vector(plan, 7)
    z, _ = bootstrap_vector(tmp_path, plan, values)
    assert bits(z, values) > 44


@pytest.mark.parametrize(
    "plan",
    [
        pytest.param(plan, id=name(plan))
        for plan in (
            of_slots(BASE, 3),
            replace(of_slots(BASE, FULL), is_real=True, is_slots_first=True, iterations=2, log_gain=GAIN),
        )
    ],
)
def test_under_an_ephemeral_secret(tmp_path, plan):
    """The integers are those of 33 uniform variables: a series that is good for 10 of them on each side."""
    check(tmp_path, replace(plan, is_encapsulated=True, degree=30, double_angles=3), 24)


def test_nodes_near_the_integers(tmp_path):
    """24 integers on each side in a series of degree 58, where Chebyshev nodes need more double angles."""
    plan = replace(BASE, degree=58, double_angles=2, nodes="han_ki")
    values = complex_vector(plan, 8)
    z, _ = bootstrap_vector(tmp_path, plan, values)
    assert bits(z, evaluated(plan, values)) > 22


def test_part_of_a_packing(tmp_path):
    """A vector that repeats earlier than the packing length is bootstrapped as what it is."""
    whole, part = BASE, of_slots(BASE, 4)
    few = [type_.replace(">", ", slots = 16>") for type_ in (whole.operand, whole.result)]
    body = [
        f"%few = ckks.view_slots %x : {whole.operand} -> {few[0]}",
        part.bootstrap("%few", "%raised").replace(f"{part.operand} -> {part.result}", f"{few[0]} -> {few[1]}"),
        f"%z = ckks.view_slots %raised : {few[1]} -> {whole.result}",
    ]
    x = np.tile(complex_vector(part, 9).real, whole.slots // part.slots)
    z, level = run(tmp_path, whole.module(body, {"z": whole.result}), {"x": x}, ["z"])["z"]
    assert level == whole.result_level
    assert bits(z[: part.slots], evaluated(part, x[: part.slots]).real) > 22.5
