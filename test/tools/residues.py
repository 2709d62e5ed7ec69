"""Settled programs on ciphertexts, and the residues of their files as the reference has them."""

import json
import os
import subprocess
from math import prod
from pathlib import Path

import numpy as np

import ckks
from uniform import expand_uniform

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("SLUICE_BUILD", ROOT / "build" / "dev"))


def tool(name, *words, expect=0, **options):
    command = [str(BUILD / "bin" / name), *map(str, words)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, **options)
    assert done.returncode == expect, done.stderr
    return done


def compile_settled(*words, expect=0, **options):
    return tool("sluice-compile", "--from=settled", *words, expect=expect, **options)


def read_sections(path):
    """Sections of a container of docs/formats.md by tag."""
    content = path.read_bytes()
    found = {}
    for k in range(int.from_bytes(content[16:20], "little")):
        entry = content[24 + 32 * k :][:24]
        offset, size = (int.from_bytes(entry[i : i + 8], "little") for i in (8, 16))
        found[entry[:8].rstrip(b"\0").decode()] = content[offset : offset + size]
    return found


def read_ciphertext(params, path):
    """The ciphertext of a file that is not seeded, its scale left out."""
    parts = read_sections(path)
    header = json.loads(parts["header"])
    assert not header["seeded"]
    limbs = params.primes(params.levels[header["level"]])
    words = np.frombuffer(parts["data"], "<u8").reshape(-1, len(limbs), params.n).tolist()
    polynomials = tuple(ckks.from_rows(rows, limbs) for rows in words)
    return ckks.Ciphertext(polynomials, header["level"], 1)


def read_keys(params, path):
    """The keys as the reference has them: the element (None of the relinearisation key), the parameters with the key's
    digits, pairs (b, a) a digit.

    A permuted key is turned back, by its sigma.
    """
    parts = read_sections(path)
    words = np.frombuffer(parts["keys"], "<u8").tolist()
    keys = []
    for number, entry in enumerate(json.loads(parts["header"])["keys"]):
        seed = parts["seeds"][32 * number : 32 * number + 32]
        primes = params.primes(entry["limbs"])
        digits = []
        for j in range(len(entry["digits"])):
            rows = [[words.pop(0) for _ in range(params.n)] for _ in primes]
            expanded = [
                expand_uniform(seed, j, limb, q, params.n) for limb, q in zip(entry["limbs"], primes, strict=True)
            ]
            halves = (ckks.from_rows(rows, primes), ckks.from_rows(expanded, primes))
            if entry.get("permuted"):
                halves = tuple(ckks.automorphism(half, entry["element"], prod(primes)) for half in halves)
            digits.append(halves)
        served = ckks.Params(
            params.log_n,
            params.limbs,
            params.special,
            params.levels,
            tuple(tuple(digit) for digit in entry["digits"]),
        )
        keys.append((entry.get("element"), served, digits))
    assert not words
    return keys


def read_secret(path):
    """The ternary coefficients of a secret key."""
    return np.frombuffer(read_sections(path)["secret"], np.int8).tolist()


def read_params(manifest, digits):
    """The manifest's ring and levels; each key has its own digits, which `digits` stand for elsewhere."""
    return ckks.Params(
        manifest["ring"]["log_n"],
        tuple(manifest["ring"]["limbs"]),
        tuple(manifest["ring"]["special"]),
        tuple(map(tuple, manifest["levels"])),
        digits,
    )


def run_encrypted(source, folder, values, outputs):
    """Compiles and runs a program on the `values` by name; leaves <name>.ct and <name>.npy; gives the manifest."""
    program, keys = folder / "p.sluice", folder / "keys"
    compile_settled(source, "-o", program, "--emit-manifest", folder / "m.json")
    tool("sluice-client", "keygen", program, "-o", keys, "--allow-insecure")
    for name, vector in values.items():
        np.save(folder / f"{name}.npy", np.array(vector))
        words = ("--key", keys / "public.key", folder / f"{name}.npy", "--input", name)
        output = ("-o", folder / f"{name}.ct", "--allow-insecure")
        tool("sluice-client", "encrypt", program, *words, *output)
    words = [word for name in outputs for word in ("-o", folder / f"{name}.ct")]
    inputs = [folder / f"{name}.ct" for name in values]
    tool("sluice-run", program, "--check", "--keys", keys / "eval.keys", *inputs, *words)
    for name in outputs:
        words = ("--key", keys / "secret.key", folder / f"{name}.ct", "-o", folder / f"{name}.npy")
        tool("sluice-client", "decrypt", program, *words, "--allow-insecure")
    return json.loads((folder / "m.json").read_text())
