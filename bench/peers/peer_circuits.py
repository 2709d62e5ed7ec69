"""The settled programs that stand beside a peer's operations, one operation each.

Both sides have N = 2^16, 24 limbs of 50 bits, six special limbs of 50, and four digits of six limbs. A level of ours
holds two limbs at least, since one of 50 bits holds no value at scale 2^50: 24, 12 and 6 limbs are levels 22, 10 and 4.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from math import log2
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "test" / "reference"))

from ckks import ntt_primes

LOG_N = 16
SLOTS = 2 ** (LOG_N - 1)
SPECIAL, BASE, STEPS = 6, 2, 22
DIGIT = 6  # limbs of each digit
ROTATIONS = range(1, 9)
DEGREE = 63
COEFFICIENTS = [1 / (1 + i) for i in range(DEGREE + 1)]

Vector = NDArray[np.float64]


@cache
def limbs() -> tuple[int, ...]:
    """The limb table: P, the base, one limb a level. P takes the largest primes, so that it exceeds every digit."""
    return tuple(ntt_primes(LOG_N, 50, SPECIAL + BASE + STEPS))


def level_limbs(level: int) -> list[int]:
    return list(range(SPECIAL, SPECIAL + BASE + level))


def digits() -> list[list[int]]:
    first, end = SPECIAL, SPECIAL + BASE + STEPS
    return [list(range(low, min(low + DIGIT, end))) for low in range(first, end, DIGIT)]


def columns(level: int) -> dict[str, int | float]:
    """What a row says of its shape."""
    log_q = sum(log2(limbs()[i]) for i in level_limbs(level))
    return {
        "limbs": BASE + level,
        "special": SPECIAL,
        "digits": sum(1 for digit in digits() if digit[0] <= level_limbs(level)[-1]),
        "log_q": round(log_q, 2),
        "log_qp": round(log_q + sum(log2(q) for q in limbs()[:SPECIAL]), 2),
    }


def ct(level: int, scale: str = "2^50", size: int = 2) -> str:
    return f"!ckks.ct<level = {level}, scale = {scale}{', size = 3' if size == 3 else ''}>"


def dense(rows: Vector) -> str:
    """Values as their bytes, since the text of a transform would be hundreds of megabytes."""
    shape = "x".join(str(size) for size in rows.shape)
    return f'dense<"0x{rows.astype("<f8").tobytes().hex().upper()}"> : tensor<{shape}xf64>'


def module(inputs: dict[str, str], body: list[str], results: dict[str, str]) -> str:
    """A module of one function from named inputs to named results, of the types given."""
    arguments = ", ".join(f'%{x}: {t} {{ckks.name = "{x}", ckks.range = [-1.0, 1.0]}}' for x, t in inputs.items())
    types = ", ".join(f'{t} {{ckks.name = "{z}"}}' for z, t in results.items())
    returned = ", ".join(f"%{z}" for z in results)
    levels = [level_limbs(level) for level in range(STEPS + 1)]
    return "\n".join(
        [
            f"#params = #ckks.params<logN = {LOG_N}, limbs = {list(limbs())}, special = {list(range(SPECIAL))},",
            f"  levels = {levels}, digits = {digits()}, slots = {SLOTS},",
            '  secret = "uniform-ternary", security = 128>',
            "module attributes {ckks.params = #params} {",
            f"func.func @f({arguments}) -> ({types}) {{",
            *(f"  {line}" for line in body),
            f"  return {returned} : {', '.join(results.values())}",
            "}",
            "}",
        ]
    )


@dataclass(frozen=True)
class Operation:
    """One program: its text, and what its last output is in the clear."""

    name: str
    level: int
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    text: Callable[[], str]
    expected: Callable[..., Vector]


def add(level: int) -> Operation:
    t = ct(level)
    text = module({"x": t, "y": t}, [f"%z = ckks.add %x, %y : {t}"], {"z": t})
    return Operation("add", level, ("x", "y"), ("z",), lambda: text, lambda x, y: x + y)


def mul_plain(level: int) -> Operation:
    weights = np.random.default_rng(2).uniform(-1, 1, SLOTS)
    t, product = ct(level), ct(level, "2^100")
    body = f"%z = ckks.mul_plain %x {{value = {dense(weights)}, scale = #ckks.scale<2^50>}} : {t} -> {product}"
    return Operation(
        "mul_plain", level, ("x",), ("z",), lambda: module({"x": t}, [body], {"z": product}), lambda x: weights * x
    )


def mul_relin(level: int) -> Operation:
    t, wide, product = ct(level), ct(level, "2^100", 3), ct(level, "2^100")
    body = [f"%p = ckks.mul %x, %y : {t}, {t} -> {wide}", f"%z = ckks.relinearize %p : {wide} -> {product}"]
    text = module({"x": t, "y": t}, body, {"z": product})
    return Operation("mul_relin", level, ("x", "y"), ("z",), lambda: text, lambda x, y: x * y)


def rescale(level: int) -> Operation:
    last = level_limbs(level)[-1]
    wide, result = ct(level, f"2^50 * q{last}"), ct(level - 1)
    text = module({"x": wide}, [f"%z = ckks.rescale %x : {wide} -> {result}"], {"z": result})
    return Operation("rescale", level, ("x",), ("z",), lambda: text, lambda x: x)


def rotate(level: int) -> Operation:
    t = ct(level)
    text = module({"x": t}, [f"%z = ckks.rotate %x {{by = 1}} : {t}"], {"z": t})
    return Operation("rotate", level, ("x",), ("z",), lambda: text, lambda x: np.roll(x, -1))


def rotate8(level: int) -> Operation:
    """Eight results, not their sum: a sum would be divided by P once."""
    t, names = ct(level), tuple(f"z{k}" for k in ROTATIONS)
    body = [f"%z{k} = ckks.rotate %x {{by = {k}}} : {t}" for k in ROTATIONS]
    text = module({"x": t}, body, dict.fromkeys(names, t))
    return Operation("rotate8", level, ("x",), names, lambda: text, lambda x: np.roll(x, -ROTATIONS[-1]))


def transform(level: int, count: int) -> Operation:
    """Diagonals 0 to count - 1 of a matrix on all slots."""
    diagonals = np.random.default_rng(3).uniform(-1, 1, (count, SLOTS))
    last = level_limbs(level)[-1]
    t, product = ct(level), ct(level, f"2^50 * q{last}")

    def text() -> str:
        body = f"%z = ckks.linear_transform %x {{indices = {list(range(count))}, diagonals = {dense(diagonals)}, "
        return module({"x": t}, [f"{body}scale = #ckks.scale<q{last}>}} : {t} -> {product}"], {"z": product})

    def expected(x: Vector) -> Vector:
        return sum((diagonals[k] * np.roll(x, -k) for k in range(count)), np.zeros(SLOTS))

    return Operation(f"transform{count}", level, ("x",), ("z",), text, expected)


def chebyshev(level: int) -> Operation:
    t, result = ct(level), ct(level - DEGREE.bit_length())
    values = np.array(COEFFICIENTS)
    body = f"%z = ckks.polynomial %x {{basis = chebyshev, coefficients = {dense(values)}, interval = [-1.0, 1.0]}}"
    text = module({"x": t}, [f"{body} : {t} -> {result}"], {"z": result})
    expected = lambda x: np.polynomial.chebyshev.chebval(x, values)  # noqa: E731
    return Operation(f"chebyshev{DEGREE}", level, ("x",), ("z",), lambda: text, expected)


def operations(long: bool) -> list[Operation]:
    """All of them, the long ones too if asked for."""
    top, middle, low = (limb_count - BASE for limb_count in (24, 12, 6))
    found = [make(level) for level in (top, middle) for make in (add, mul_plain, mul_relin, rescale, rotate, rotate8)]
    found += [make(low) for make in (mul_relin, rotate, rotate8)]
    return found + ([transform(top, 64), transform(top, 128), chebyshev(top)] if long else [])
