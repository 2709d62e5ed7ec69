"""Many bootstraps in turn: how errors add up."""

from __future__ import annotations

from cmath import exp
from dataclasses import replace
from math import log2, sqrt

import numpy as np
import pytest

from bootstraps import Plan, bits, run

# Q_0 / scale = 2^10 and the arcsine: what a bootstrap adds is noise, far above the sine's third power.
BASE = Plan(
    log_n=7,
    degree=46,
    arcsine_degree=3,
    coefficients_to_slots=(3, 3),
    slots_to_coefficients=(3, 3),
    is_encapsulated=True,
    levels_left=2,
)


def complex_operand(plan: Plan) -> list[str]:
    return [f"%iy = ckks.mul_by_i %y : {plan.operand}", f"%v0 = ckks.add %x, %iy : {plan.operand}"]


def parts(name: str, type_: str) -> list[str]:
    """The value and, minus its product with i, its imaginary part as a real one."""
    return [f"%{name}i = ckks.mul_by_i %{name} : {type_}", f"%{name}im = ckks.negate %{name}i : {type_}"]


def square_points(plan: Plan, seed: int) -> np.ndarray:
    random = np.random.default_rng(seed)
    return random.uniform(-1, 1, plan.slots) + 1j * random.uniform(-1, 1, plan.slots)


def complex_outputs(folder, plan, body, results, values):
    source = plan.module(body, results, ("x", "y"))
    outputs = run(folder, source, {"x": values.real, "y": values.imag}, list(results))
    return {
        name.removesuffix("im"): outputs[name.removesuffix("im")][0] + 1j * outputs[name][0]
        for name in results
        if name.endswith("im")
    }


@pytest.mark.parametrize("count", [pytest.param(8, id="8"), pytest.param(50, id="50", marks=pytest.mark.slow)])
def test_successive_bootstraps_add_their_errors(tmp_path, count):
    plan = BASE
    values = square_points(plan, 11)
    bottom, top = plan.operand, plan.result
    body = complex_operand(plan)
    results = {}
    for k in range(1, count + 1):
        body += [plan.bootstrap(f"%v{k - 1}", f"%w{k}"), f"%v{k} = ckks.drop_level %w{k} : {top} -> {bottom}"]
        if k in (1, count):
            body += parts(f"w{k}", top)
            results |= {f"w{k}": top, f"w{k}im": top}
    outputs = complex_outputs(tmp_path, plan, body, results, values)
    first, last = bits(outputs["w1"], values), bits(outputs[f"w{count}"], values)
    assert first > 20
    # Independent errors add up as roots of their number, the same one each time in proportion to it.
    assert first - log2(count) - 0.5 < last < first - log2(sqrt(count)) + 1.5


@pytest.mark.parametrize("turns", [pytest.param(20, id="20"), pytest.param(200, id="200", marks=pytest.mark.slow)])
def test_values_that_turn_keep_their_place(tmp_path, turns):
    """z <- e^(0.1 i) z, with a bootstrap when the levels are used up: errors grow no faster than their number."""
    plan = replace(BASE, levels_left=10, degree=46)
    values = square_points(plan, 12)
    factor = exp(0.1j)
    body = complex_operand(plan)
    results: dict[str, str] = {}
    current, level, bootstraps = "v0", 0, 0
    for turn in range(1, turns + 1):
        if level == 0:
            body.append(plan.bootstrap(f"%{current}", f"%b{turn}"))
            current, level, bootstraps = f"b{turn}", plan.result_level, bootstraps + 1
        limb = 3 + level  # the one that the next rescale takes away
        wide = f"!ckks.ct<level = {level}, scale = 2^{plan.log_scale} * q{limb}>"
        below = plan.ct(level - 1)
        body += [
            f"%p{turn} = ckks.mul_plain %{current} {{value = dense<[({factor.real!r}, {factor.imag!r})]> : "
            f"tensor<1xcomplex<f64>>, scale = #ckks.scale<q{limb}>}} : {plan.ct(level)} -> {wide}",
            f"%t{turn} = ckks.rescale %p{turn} : {wide} -> {below}",
        ]
        current, level = f"t{turn}", level - 1
        if turn in (plan.levels_left, turns):
            body += parts(current, below)
            results |= {current: below, f"{current}im": below}
    outputs = complex_outputs(tmp_path, plan, body, results, values)
    once = bits(outputs[f"t{plan.levels_left}"], values * factor**plan.levels_left)
    last = bits(outputs[f"t{turns}"], values * factor**turns)
    assert once > 20
    assert bootstraps == turns // plan.levels_left
    assert once - log2(bootstraps) - 0.5 < last < once + 0.5
