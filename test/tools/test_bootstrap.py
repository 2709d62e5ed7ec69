"""Bootstraps on ciphertexts of small insecure rings: the same values, at the level that the plan says."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil, log2, pi, sqrt

import numpy as np
import pytest

import ckks
from residues import read_ciphertext, read_params, run_encrypted, tool

LIMB = 50  # bits
PASSES = ("--expand-bootstraps", "--evaluate-polynomials", "--lower-linear-transforms")


@dataclass(frozen=True)
class Plan:
    """A bootstrap from level 0, one limb, and what its ring is."""

    log_n: int = 9
    degree: int = 46
    double_angles: int = 4
    arcsine_degree: int = 1
    coefficients_to_slots: tuple[int, ...] = (4, 4)
    slots_to_coefficients: tuple[int, ...] = (4, 4)
    log_scale: int = 40
    levels_left: int = 2

    @property
    def slots(self) -> int:
        return 2 ** (self.log_n - 1)

    @property
    def range(self) -> int:
        """Six standard deviations of the multiple of q0 under a uniform ternary secret."""
        return ceil(6 * sqrt((2 * 2**self.log_n / 3 + 1) / 12))

    @property
    def depth(self) -> int:
        arcsine = ceil(log2(self.arcsine_degree + 1)) if self.arcsine_degree > 1 else 0
        transforms = len(self.coefficients_to_slots) + len(self.slots_to_coefficients)
        return transforms + ceil(log2(self.degree + 1)) + self.double_angles + arcsine

    @property
    def message_bound(self) -> float:
        return 2.0 ** (self.log_scale - LIMB)

    def ct(self, level: int) -> str:
        return f"!ckks.ct<level = {level}, scale = 2^{self.log_scale}>"

    def bootstrap(self, operand: str, result: str) -> str:
        bottom, top = self.ct(0), self.ct(self.levels_left)
        arcsine = f", arcsine_degree = {self.arcsine_degree}" if self.arcsine_degree > 1 else ""
        return (
            f"{result} = ckks.bootstrap {operand} "
            f"{{range = {float(self.range)}, message_bound = {self.message_bound!r}, "
            f"degree = {self.degree}, double_angles = {self.double_angles}, "
            f"coefficients_to_slots = {list(self.coefficients_to_slots)}, "
            f"slots_to_coefficients = {list(self.slots_to_coefficients)}{arcsine}}} : {bottom} -> {top}"
        )

    def module(self, body: list[str], level: int) -> str:
        """A function from %x at level 0 to %z at `level`."""
        special = 3
        count = special + 1 + self.levels_left + self.depth
        limbs = ckks.ntt_primes(self.log_n, LIMB, count)
        levels = [list(range(special, end)) for end in range(special + 1, count + 1)]
        digits = [levels[-1][i : i + special] for i in range(0, len(levels[-1]), special)]
        lines = "\n  ".join(body)
        argument = f'%x: {self.ct(0)} {{ckks.name = "x", ckks.range = [-1.0, 1.0]}}'
        return f"""#params = #ckks.params<logN = {self.log_n}, limbs = {limbs}, special = {list(range(special))},
  levels = {levels}, digits = {digits}, slots = {self.slots}, secret = "uniform-ternary", security = 0>
module attributes {{ckks.params = #params}} {{
func.func @f({argument}) -> ({self.ct(level)} {{ckks.name = "z"}}) {{
  {lines}
  return %z : {self.ct(level)}
}}
}}
"""


def run(folder, plan, body, x, level):
    """What the program makes of x, and the level of its result."""
    source, expanded = folder / "source.mlir", folder / "expanded.mlir"
    source.write_text(plan.module(body, level))
    tool("sluice-opt", *PASSES, source, "-o", expanded)
    manifest = run_encrypted(expanded, folder, {"x": x}, ["z"])
    params = read_params(manifest, ())
    return np.load(folder / "z.npy").ravel(), read_ciphertext(params, folder / "z.ct").level


def bits(values, expected):
    return -log2(np.std(values - expected))


BASE = Plan()


@pytest.mark.parametrize(
    ("plan", "least"),
    [
        pytest.param(BASE, 18, id="two and two factors"),
        # One matrix divides by everything at once, so that its entries have few bits.
        pytest.param(replace(BASE, coefficients_to_slots=(8,), slots_to_coefficients=(8,)), 16, id="one factor each"),
        pytest.param(
            replace(BASE, coefficients_to_slots=(3, 1, 4), slots_to_coefficients=(2, 5, 1)), 18, id="uneven groups"
        ),
        pytest.param(
            replace(BASE, log_n=5, coefficients_to_slots=(2, 2), slots_to_coefficients=(3, 1)), 20, id="N = 32"
        ),
        pytest.param(replace(BASE, degree=118, double_angles=2), 18, id="a long series"),
        # Half of q0 away from overflow the sine alone is good for 4 bits.
        pytest.param(replace(BASE, log_scale=47, arcsine_degree=7), 19, id="arcsine"),
    ],
)
def test_values_come_back_at_the_level_of_the_plan(tmp_path, plan, least):
    x = np.random.default_rng(3).uniform(-1, 1, plan.slots)
    z, level = run(tmp_path, plan, [plan.bootstrap("%x", "%z")], x, plan.levels_left)
    assert level == plan.levels_left
    assert bits(z, x) > least


def test_what_is_bootstrapped_can_be_computed_on_and_bootstrapped_again(tmp_path):
    plan = BASE
    x = np.random.default_rng(4).uniform(-1, 1, plan.slots)
    top = plan.ct(2)
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
    z, level = run(tmp_path, plan, body, x, 2)
    assert level == 2
    assert bits(z, x / 2) > 17


def test_slots_that_share_a_mean_meet_the_sine(tmp_path):
    """All slots 1 are one large coefficient: the sine's third power shows, as much as theory says."""
    plan = replace(BASE, log_scale=45)
    z, _ = run(tmp_path, plan, [plan.bootstrap("%x", "%z")], np.ones(plan.slots), plan.levels_left)
    ratio = 2.0 ** (plan.log_scale - LIMB)
    expected = np.sin(2 * pi * ratio) / (2 * pi * ratio)
    assert abs(z.mean() - expected) < 1e-4 < 1 - expected


def test_the_expansion_keeps_no_bootstrap(tmp_path):
    source = tmp_path / "source.mlir"
    source.write_text(BASE.module([BASE.bootstrap("%x", "%z")], BASE.levels_left))
    done = tool("sluice-compile", "--from=settled", source, "-o", tmp_path / "p.sluice", expect=1)
    assert "'ckks.bootstrap' op is expanded by expand-bootstraps, which must run first" in done.stderr
    expanded = tool("sluice-opt", *PASSES, source).stdout
    assert "ckks.bootstrap" not in expanded
    assert "ckks.mod_raise" in expanded
