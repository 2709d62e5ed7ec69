"""Plans of bootstraps on small insecure rings, and programs around them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2, pi, sqrt

import numpy as np

import ckks
from residues import read_ciphertext, read_params, run_encrypted, tool

SPECIAL = 3  # limbs of P
PASSES = ("--expand-bootstraps", "--evaluate-polynomials", "--lower-linear-transforms")


@dataclass(frozen=True)
class Plan:
    """A bootstrap that begins at level 0, one limb, and what its ring is."""

    log_n: int = 9
    log_slots: int | None = None  # None: all that the ring has
    degree: int = 46
    double_angles: int = 4
    arcsine_degree: int = 1
    nodes: str = "chebyshev"
    coefficients_to_slots: tuple[int, ...] = (4, 4)
    slots_to_coefficients: tuple[int, ...] = (4, 4)
    is_slots_first: bool = False
    is_real: bool = False
    iterations: int = 1
    log_gain: int = 0
    log_scale: int = 40  # of a round's operand: that of the first one
    levels_left: int = 2
    limb: int = 50  # bits of every limb
    first_limb: int | None = None  # another prime for level 0
    small_limb: int | None = None  # bits of every other limb of the bootstrap's own levels
    is_encapsulated: bool = False  # ModRaise under an ephemeral secret of weight 32
    is_nested: bool = True  # whether higher levels have all limbs of the operand's
    result_scale: str | None = None  # unless it is the operand's

    @property
    def slots(self) -> int:
        return 2 ** (self.log_n - 1 if self.log_slots is None else self.log_slots)

    @property
    def range(self) -> int:
        """Six standard deviations of the multiple of q0 under the secret at ModRaise."""
        weight = 32 if self.is_encapsulated else 2 * 2**self.log_n / 3
        return ceil(6 * sqrt((weight + 1) / 12))

    @property
    def depth(self) -> int:
        arcsine = ceil(log2(self.arcsine_degree + 1)) if self.arcsine_degree > 1 else 0
        transforms = len(self.coefficients_to_slots) + (0 if self.is_slots_first else len(self.slots_to_coefficients))
        return transforms + ceil(log2(self.degree + 1)) + self.double_angles + arcsine

    @property
    def operand_level(self) -> int:
        """Above those at which a round begins by one where there are several."""
        begin = len(self.slots_to_coefficients) if self.is_slots_first else 0
        return begin + (self.iterations > 1)

    @property
    def result_level(self) -> int:
        return self.operand_level + self.levels_left

    @property
    def ratio(self) -> float:
        """What part of q0 a value of 1 is in one round."""
        return 2.0**self.log_scale / (self.first_limb or 2**self.limb)

    def ct(self, level: int, scale: str | None = None) -> str:
        scale = scale or f"2^{self.log_scale + (self.iterations - 1) * self.log_gain}"
        return f"!ckks.ct<level = {level}, scale = {scale}>"

    @property
    def operand(self) -> str:
        return self.ct(self.operand_level)

    @property
    def result(self) -> str:
        return self.ct(self.result_level, self.result_scale)

    def bootstrap(self, operand: str, result: str) -> str:
        forms = [f"arcsine_degree = {self.arcsine_degree}", f"nodes = {self.nodes}"]
        forms += ["order = slots_to_coefficients_first"] * self.is_slots_first + ["real"] * self.is_real
        forms += [f"iterations = {self.iterations}, log_gain = {self.log_gain}"] * (self.iterations > 1)
        return (
            f"{result} = ckks.bootstrap {operand} "
            f"{{range = {float(self.range)}, message_bound = {self.ratio!r}, "
            f"degree = {self.degree}, double_angles = {self.double_angles}, "
            f"coefficients_to_slots = {list(self.coefficients_to_slots)}, "
            f"slots_to_coefficients = {list(self.slots_to_coefficients)}, {', '.join(forms)}}} "
            f": {self.operand} -> {self.result}"
        )

    def chain(self) -> tuple[list[int], list[list[int]]]:
        """The primes, those of P first, and the limb set of each level: one limb more each."""
        count = self.result_level + self.depth + 1
        operand = self.operand_level
        if self.is_nested:
            limbs = ckks.ntt_primes(self.log_n, self.limb, SPECIAL + count)
            levels = [list(range(SPECIAL, SPECIAL + level + 1)) for level in range(count)]
        else:  # the last prime is of the operand's level alone, and the levels above have two more than those below
            limbs = ckks.ntt_primes(self.log_n, self.limb, SPECIAL + count + 2)
            levels = [list(range(SPECIAL, SPECIAL + level + 1 + (level > operand))) for level in range(count)]
            levels[operand][-1] = len(limbs) - 1
        limbs[SPECIAL] = self.first_limb or limbs[SPECIAL]
        if self.small_limb:
            own = slice(SPECIAL + 1 + self.levels_left, None, 2)
            limbs[own] = ckks.ntt_primes(self.log_n, self.small_limb, len(limbs[own]))
        return limbs, levels

    def module(self, body: list[str], results: dict[str, str], arguments: tuple[str, ...] = ("x",)) -> str:
        """A function of real vectors at the bootstrap's level; the values %name in `results`, of these types, come
        out by their names."""
        limbs, levels = self.chain()
        union = sorted({limb for level in levels for limb in level})
        digits = [union[i : i + SPECIAL] for i in range(0, len(union), SPECIAL)]
        ephemeral = ""
        if self.is_encapsulated:
            limbs.append(limbs[SPECIAL])  # not below the limb of level 0
            limbs[SPECIAL] = ckks.ntt_primes(self.log_n, self.limb, len(limbs))[-1]
            ephemeral = f', ephemeral = "ephemeral-32", ephemeral_special = [{len(limbs) - 1}]'
        lines = "\n  ".join(body)
        takes = [f'%{name}: {self.operand} {{ckks.name = "{name}", ckks.range = [-1.0, 1.0]}}' for name in arguments]
        gives = [f'{type_} {{ckks.name = "{name}"}}' for name, type_ in results.items()]
        values = ", ".join(f"%{name}" for name in results)
        return f"""#params = #ckks.params<logN = {self.log_n}, limbs = {limbs}, special = {list(range(SPECIAL))},
  levels = {levels}, digits = {digits}, slots = {self.slots}, secret = "uniform-ternary", security = 0{ephemeral}>
module attributes {{ckks.params = #params}} {{
func.func @f({", ".join(takes)}) -> ({", ".join(gives)}) {{
  {lines}
  return {values} : {", ".join(results.values())}
}}
}}
"""


def run(folder, source_text, inputs, outputs):
    """What a program makes of real vectors, by name, with its levels."""
    source, expanded = folder / "source.mlir", folder / "expanded.mlir"
    source.write_text(source_text)
    tool("sluice-opt", *PASSES, source, "-o", expanded)
    manifest = run_encrypted(expanded, folder, inputs, outputs)
    params = read_params(manifest, ())
    return {
        name: (np.load(folder / f"{name}.npy").ravel(), read_ciphertext(params, folder / f"{name}.ct").level)
        for name in outputs
    }


def bits(values, expected):
    """-log2 of the root of the mean square of the errors."""
    return -log2(np.mean(np.abs(values - expected) ** 2)) / 2


def embedding(slots):
    """SF of docs/mathematics.md section 1: slots from coefficients n .. 2n - 1 times i plus coefficients 0 .. n - 1."""
    powers = [pow(5, j, 4 * slots) for j in range(slots)]
    return np.exp(1j * pi / (2 * slots) * np.outer(powers, np.arange(slots)))


def evaluated(plan, values):
    """What a bootstrap makes of complex slots: the sine of their coefficients, or of the slots where EvalMod sees them.

    Where there is an arcsine or another round, the values."""
    if plan.arcsine_degree > 1 or plan.iterations > 1:
        return values
    matrix = np.eye(plan.slots) if plan.is_slots_first else embedding(plan.slots)
    seen = np.linalg.solve(matrix, values)
    angle = 2 * pi * plan.ratio
    return matrix @ (np.sin(angle * seen.real) + 1j * np.sin(angle * seen.imag)) / angle


def bootstrap_vector(folder, plan, values):
    """Complex slots after the bootstrap of the plan, and their level. The client's vectors are real: two make them."""
    if plan.is_real:
        source = plan.module([plan.bootstrap("%x", "%z")], {"z": plan.result})
        z, level = run(folder, source, {"x": values.real}, ["z"])["z"]
        return z + 0j, level
    body = [
        f"%iy = ckks.mul_by_i %y : {plan.operand}",
        f"%xy = ckks.add %x, %iy : {plan.operand}",
        plan.bootstrap("%xy", "%re"),
        f"%im = ckks.mul_by_i %re : {plan.result}",
    ]
    source = plan.module(body, {"re": plan.result, "im": plan.result}, ("x", "y"))
    outputs = run(folder, source, {"x": values.real, "y": values.imag}, ["re", "im"])
    real, level = outputs["re"]
    return real - 1j * outputs["im"][0], level
