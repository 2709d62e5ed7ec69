"""Write test/reference/vectors/*.json from the reference (test/reference/ckks.py).

    python tools/dev/bless_vectors.py [--check]

Runtime and compiler tests replay these files against the fast code. They are made again only when a
format or a rule changes, with a note in docs/decisions.md. `--check` writes nothing and fails when a
file differs from what would be written. The first field of every file says how to read it.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from math import prod
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "reference"))

import ckks
import uniform

PRIME_BITS = (20, 30, 41, 50)


def extremes(rng, n, q):
    """Uniform residues with 0, 1 and q - 1 among them, where lazy reductions go wrong."""
    values = [rng.randrange(q) for _ in range(n)]
    values[0], values[1], values[2], values[n - 1] = 0, 1, q - 1, q - 1
    return values


def ntt():
    """A limb in both forms."""
    cases = []
    for log_n in (3, 4, 5, 6, 8):
        for bits in PRIME_BITS:
            if bits == 20 and log_n > 6:
                continue
            q, rng = (
                ckks.ntt_primes(log_n, bits, 1)[0],
                random.Random(100 * log_n + bits),
            )
            coefficients = extremes(rng, 1 << log_n, q)
            cases.append(
                {
                    "log_n": log_n,
                    "q": q,
                    "psi": ckks.psi(q, 1 << log_n),
                    "coefficients": coefficients,
                    "evaluations": ckks.to_eval(coefficients, q),
                }
            )
    return "evaluations = NTT(coefficients) modulo q", cases


def automorphism():
    """sigma_g in evaluation form: rotations both ways, conjugation, and a composition."""
    cases, rng = [], random.Random(1)
    for log_n in (3, 4, 6):
        n = 1 << log_n
        q = ckks.ntt_primes(log_n, 50, 1)[0]
        for element in (5, pow(5, -1, 2 * n), 2 * n - 1, 2 * n - 5, 1):
            a = extremes(rng, n, q)
            cases.append(
                {
                    "log_n": log_n,
                    "q": q,
                    "element": element,
                    "input": ckks.to_eval(a, q),
                    "output": ckks.to_eval(ckks.automorphism(a, element, q), q),
                }
            )
    return "output = sigma_element(input), both in evaluation form modulo q", cases


def mixed_limbs(log_n):
    """Eight limbs: four fulls of 50 bits, terminals of 24, 31, 38 and 47 bits."""
    fulls = ckks.ntt_primes(log_n, 50, 4)
    return fulls + [ckks.ntt_primes(log_n, bits, 1)[0] for bits in (24, 31, 38, 47)]


def base_convert():
    """Coefficient form; the values include the borders of (-D/2, D/2] up to a limb's worth."""
    cases, rng, log_n = [], random.Random(2), 4
    limbs = mixed_limbs(log_n)
    for source, target in (
        ([0], [1, 4]),
        ([0, 1], [2, 3, 4]),
        ([4, 5], [0, 1]),
        ([0, 4, 7], [1, 2]),
        ([0, 1, 2, 3, 4, 5], [6, 7]),
    ):
        a, b = [limbs[i] for i in source], [limbs[i] for i in target]
        d = prod(a)
        values = [rng.randrange(d) for _ in range(1 << log_n)]
        # Next to a half the shared rule of docs/mathematics.md 2.1 may pick either representative.
        margin = d >> 40
        values[:6] = [0, 1, d - 1, d // 2 - margin, d // 2 + margin, d // 3]
        cases.append(
            {
                "log_n": log_n,
                "source": a,
                "target": b,
                "input": ckks.rows(values, a, "coeff"),
                "output": ckks.base_convert(values, a, b),
            }
        )
    return (
        "output = centred value of input modulo each target limb, coefficient form",
        cases,
    )


def rescale():
    """Nested, one limb added and two dropped, two added and three dropped, special limbs dropped."""
    cases, rng, log_n = [], random.Random(3), 4
    limbs = mixed_limbs(log_n)
    for source, target in (
        ([0, 1, 2], [0, 1]),
        ([1, 2, 3, 4], [1, 2, 5]),
        ([4, 1, 2, 3], [7, 1, 2]),
        ([0, 1, 2, 4, 5], [6, 7, 0, 1]),
        ([0, 1, 2, 3], [4]),
    ):
        a, b = [limbs[i] for i in source], [limbs[i] for i in target]
        c = [rng.randrange(prod(a)) for _ in range(1 << log_n)]
        cases.append(
            {
                "log_n": log_n,
                "source": a,
                "target": b,
                "input": ckks.rows(c, a),
                "output": ckks.rows(ckks.rescale(c, a, b), b),
            }
        )
    description = (
        "output = round(b * input / a) modulo the target, a = product of the limbs dropped, "
        "b of those added; rows in evaluation form, in the order of source and target"
    )
    return description, cases


def mod_down():
    """Division by P, and by P merged with a rescale."""
    cases, rng, log_n = [], random.Random(4), 4
    limbs = mixed_limbs(log_n)
    for special, source, target in (
        ([0], [1, 2, 4], [1, 2, 4]),
        ([0, 1], [2, 3], [2, 3]),
        ([0, 1], [4, 2, 3], [4, 2]),
        ([0], [1, 2, 3], [1, 7]),
    ):
        p, a, b = ([limbs[i] for i in part] for part in (special, source, target))
        c = [rng.randrange(prod(p + a)) for _ in range(1 << log_n)]
        cases.append(
            {
                "log_n": log_n,
                "special": p,
                "source": a,
                "target": b,
                "input": ckks.rows(c, p + a),
                "output": ckks.rows(ckks.rescale(c, p + a, b), b),
            }
        )
    description = (
        "input rows: special limbs, then source; output = round(b * input / (P * a)) modulo the "
        "target (a = b = 1 when source = target); evaluation form"
    )
    return description, cases


def key_switch():
    """Inner product and switched halves at every level of an open chain."""
    log_n, rng = 4, random.Random(5)
    limbs = tuple(mixed_limbs(log_n))
    levels = ((2,), (2, 4), (2, 5, 6), (2, 3, 4, 5))
    params = ckks.Params(log_n, limbs, (0, 1), levels, ((4, 5), (6,), (2, 3)))
    s, source = ckks.secret(params, rng), ckks.secret(params, rng)
    key = ckks.switching_key(params, source, s, rng)
    table = params.primes(params.special) + params.primes(params.union)
    halves = [{"b": ckks.rows(b, table), "a": ckks.rows(a, table)} for b, a in key]
    cases = []
    for level, indices in enumerate(levels):
        alive = params.primes(indices)
        special = params.primes(params.special)
        c = ckks.uniform(params, rng, prod(alive))
        u, v = ckks.inner_product(params, c, level, key)
        cases.append(
            {
                "level": list(indices),
                "input": ckks.rows(c, alive),
                "u": ckks.rows(u, special + alive),
                "v": ckks.rows(v, special + alive),
                "c0": ckks.rows(ckks.mod_down(u, special, alive), alive),
                "c1": ckks.rows(ckks.mod_down(v, special, alive), alive),
            }
        )
    shared = {
        "log_n": log_n,
        "limbs": list(limbs),
        "special": list(params.special),
        "digits": [list(d) for d in params.digits],
        "key_limbs": list(params.special) + params.union,
        "key": halves,
    }
    description = (
        "limb numbers index `limbs`; key rows follow key_limbs; u, v: rows of P, then of the level; "
        "(c0, c1) = mod_down of (u, v); evaluation form; digits without a limb of the level are skipped"
    )
    return description, cases, shared


def encode():
    """Full and sparse packings, real and complex, small enough a scale that rounding is certain."""
    cases, rng = [], random.Random(6)
    for log_n, slots, scale in (
        (3, 4, 2**20),
        (5, 16, 2**30),
        (6, 4, 2**30),
        (6, 32, 3 * 2**28),
    ):
        n = 1 << log_n
        limbs = [ckks.ntt_primes(log_n, bits, 1)[0] for bits in (50, 24)]
        for is_complex in (False, True):
            values = [complex(rng.uniform(-8, 8), rng.uniform(-8, 8) if is_complex else 0) for _ in range(slots)]
            coefficients = ckks.encode(values, scale, n)
            cases.append(
                {
                    "log_n": log_n,
                    "values": [[z.real, z.imag] for z in values],
                    "scale": scale,
                    "coefficients": coefficients,
                    "limbs": limbs,
                    "rows": ckks.rows(coefficients, limbs),
                }
            )
    description = (
        "n slot values (real, imaginary), repeated to N/2, times scale, rounded to coefficients; "
        "rows: their residues in evaluation form"
    )
    return description, cases


def uniform_expansion():
    """Every width class; limb and digit numbers that fill their bytes."""
    cases = []
    for k, (digit, limb, bits) in enumerate(((0, 0, 20), (1, 2, 41), (258, 65537, 50), (7, 0, 50))):
        seed = bytes((k + 13 * i) % 251 for i in range(32))
        q = ckks.ntt_primes(6, bits, k + 1)[k]
        values = uniform.expand_uniform(seed, digit, limb, q, 64)
        cases.append(
            {
                "seed": seed.hex(),
                "digit": digit,
                "limb": limb,
                "q": q,
                "log_n": 6,
                "values": values,
            }
        )
    return "values = uniform(seed, digit, limb, q) of docs/formats.md", cases


FILES = {
    "ntt": ntt,
    "automorphism": automorphism,
    "base_convert": base_convert,
    "rescale": rescale,
    "mod_down": mod_down,
    "key_switch": key_switch,
    "encode": encode,
    "uniform": uniform_expansion,
}


def render(description, cases, shared=None) -> str:
    """One case a line, so that a diff shows which case changed."""
    head = {"description": description, **(shared or {})}
    fields = [f'"{name}": {json.dumps(value)}' for name, value in head.items()]
    lines = ",\n".join("  " + json.dumps(case) for case in cases)
    return "{" + ",\n".join(fields) + ',\n"cases": [\n' + lines + "\n]}\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    check = parser.parse_args().check
    folder = ROOT / "test" / "reference" / "vectors"
    stale = []
    for name, make in FILES.items():
        path, text = folder / f"{name}.json", render(*make())
        if check and (not path.exists() or path.read_text() != text):
            stale.append(path.name)
        elif not check:
            path.write_text(text)
    for name in stale:
        print(f"{name} is not what the reference gives", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
