"""Plans of bootstraps on small insecure rings, and programs around them."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log2, pi, sqrt

import numpy as np

import ckks
from residues import read_ciphertext, read_params, run_encrypted, tool

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

    @property
    def slots(self) -> int:
        return 2 ** (self.log_n - 1 if self.log_slots is None else self.log_slots)

    @property
    def range(self) -> int:
        """Six standard deviations of the multiple of q0 under a uniform ternary secret."""
        return ceil(6 * sqrt((2 * 2**self.log_n / 3 + 1) / 12))

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
    def message_bound(self) -> float:
        return 2.0 ** (self.log_scale - self.limb)

    def ct(self, level: int) -> str:
        return f"!ckks.ct<level = {level}, scale = 2^{self.log_scale + (self.iterations - 1) * self.log_gain}>"

    @property
    def operand(self) -> str:
        return self.ct(self.operand_level)

    @property
    def result(self) -> str:
        return self.ct(self.result_level)

    def bootstrap(self, operand: str, result: str) -> str:
        forms = [f"arcsine_degree = {self.arcsine_degree}", f"nodes = {self.nodes}"]
        forms += ["order = slots_to_coefficients_first"] * self.is_slots_first + ["real"] * self.is_real
        forms += [f"iterations = {self.iterations}, log_gain = {self.log_gain}"] * (self.iterations > 1)
        return (
            f"{result} = ckks.bootstrap {operand} "
            f"{{range = {float(self.range)}, message_bound = {self.message_bound!r}, "
            f"degree = {self.degree}, double_angles = {self.double_angles}, "
            f"coefficients_to_slots = {list(self.coefficients_to_slots)}, "
            f"slots_to_coefficients = {list(self.slots_to_coefficients)}, {', '.join(forms)}}} "
            f": {self.operand} -> {self.result}"
        )

    def module(self, body: list[str], results: dict[str, str], arguments: tuple[str, ...] = ("x",)) -> str:
        """A function of real vectors at the bootstrap's level; the values %name in `results`, of these types, come
        out by their names."""
        special = 3
        count = special + 1 + self.result_level + self.depth
        limbs = ckks.ntt_primes(self.log_n, self.limb, count)
        levels = [list(range(special, end)) for end in range(special + 1, count + 1)]
        digits = [levels[-1][i : i + special] for i in range(0, len(levels[-1]), special)]
        lines = "\n  ".join(body)
        takes = [f'%{name}: {self.operand} {{ckks.name = "{name}", ckks.range = [-1.0, 1.0]}}' for name in arguments]
        gives = [f'{type_} {{ckks.name = "{name}"}}' for name, type_ in results.items()]
        values = ", ".join(f"%{name}" for name in results)
        return f"""#params = #ckks.params<logN = {self.log_n}, limbs = {limbs}, special = {list(range(special))},
  levels = {levels}, digits = {digits}, slots = {self.slots}, secret = "uniform-ternary", security = 0>
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
    return -log2(np.std(values - expected))


def sine(values, ratio):
    """What EvalMod without an arcsine makes of values that are `ratio` of its period when they are 1."""
    return np.sin(2 * pi * ratio * values) / (2 * pi * ratio)
