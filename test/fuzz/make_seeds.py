"""Write the seeds of the fuzz targets from the golden files of test/compat/v1 and from what lies at a reader's limits.

    python test/fuzz/make_seeds.py [--output FOLDER]

Each binary file is a seed in two forms (test/fuzz/object_input.h): as it is, and as the contents of its sections, where
a mutation does not break the frame. Names that begin with `refused-` are one step beyond a limit. The seeds of
shared_object are compiled (test/runtime/exec/sample).
"""

from __future__ import annotations

import argparse
import copy
import hashlib
import itertools
import json
import math
import struct
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
GOLDEN = ROOT / "test" / "compat" / "v1"
CORPUS = ROOT / "test" / "fuzz" / "corpus"
sys.path[:0] = [str(ROOT / "test" / "python"), str(ROOT / "test" / "fuzz")]

from launch_seeds import launches  # noqa: E402

from container import container, sections  # noqa: E402 (after its folder is on the path)

Seed = tuple[str, bytes]  # its name, its content
MANIFEST = json.loads((GOLDEN / "manifest.json").read_text())
N = 1 << MANIFEST["ring"]["log_n"]
LIMBS = MANIFEST["ring"]["limbs"]
HEADER_BYTES = 64 * 1024  # objectHeaderBytes of runtime/wire/object_header.h
PROGRAM, CIPHERTEXT, EVALUATION_KEYS, PUBLIC_KEY, SECRET_KEY, SHARE_COUNT = range(1, 7)  # kinds of files


def text(document: Any) -> bytes:
    return json.dumps(document, separators=(",", ":")).encode()


def changed(document: Any, *changes: tuple[str, Any]) -> Any:
    """A copy with the values at some places, "inputs/0/shape", replaced."""
    document = copy.deepcopy(document)
    for place, value in changes:
        *parents, last = (int(part) if part.isdigit() else part for part in place.split("/"))
        target = document
        for parent in parents:
            target = target[parent]
        target[last] = value
    return document


# --- Costs -----------------------------------------------------------------------------------------------------------
FAMILIES = (
    *("ntt", "intt", "copy", "zero", "add", "sub", "negate", "mul", "mac", "mul_scalar", "add_scalar"),
    *("sub_mul_scalar", "automorphism", "base_convert_source", "base_convert_destination", "base_convert_term"),
    *("inner_product", "inner_product_digit", "ntt_rows", "intt_rows", "base_convert_columns_source"),
    *("base_convert_columns_destination", "base_convert_columns_term"),
)


def costs() -> Iterator[Seed]:
    times = {family: {"cached": [0.25] * 5, "memory": [0.5] * 5} for family in FAMILIES}
    reach = [[[98304 << degree, 0.0], [1 << 27, 1.0]] for degree in range(5)]
    sample = {
        **{"format": "sluice-costs", "version": 2, "cpu": "none", "kernels": "avx2", "log_n": [12, 13, 14, 15, 16]},
        "tables": [{"threads": threads, "ns": times, "reach": reach} for threads in (1, 2)],
    }
    points = [[bytes_, 0.5] for bytes_ in range(1, 66)]
    cases: dict[str, list[tuple[str, Any]]] = {
        "sample": [],
        "one-table": [("tables", sample["tables"][:1])],
        "no-reach": [("tables/0/reach/4", [])],
        "all-points": [("tables/0/reach/4", points[:64])],
        "refused-points": [("tables/0/reach/4", points)],
        "largest-time": [("tables/0/ns/ntt/memory/0", 1e6)],
        "refused-time": [("tables/0/ns/ntt/memory/0", 1000001)],
        "all-cached": [("tables/0/ns/add/memory/4", 0.25)],
        "refused-memory": [("tables/0/ns/add/memory/4", 0.2499)],
        "most-threads": [("tables/1/threads", 1024)],
        "refused-threads": [("tables/1/threads", 1025)],
        "refused-twice": [("tables/1/threads", 1)],
        "refused-share": [("tables/1/reach/0/1/1", 1.0001)],
        "refused-bytes": [("tables/1/reach/0/1/0", 98304)],
        "refused-degrees": [("log_n", [12, 13, 14, 15])],
        "refused-version": [("version", 3)],
        "refused-old-version": [("version", 1)],
    }
    for name, changes in cases.items():
        yield f"{name}.json", text(changed(sample, *changes))


# --- Certificates ----------------------------------------------------------------------------------------------------
def certified() -> dict[str, Any]:
    """The manifest with a certificate: 3 decryptions at 20 bits, errors of 2^-40 whose norm is at most 2^-37."""
    flooding = 6 * 2**10 * 2.0**-37
    objects = {"public_key": [*MANIFEST["ring"]["special"], *MANIFEST["levels"][-1]]}
    objects |= {key["kind"]: key["limbs"] for key in MANIFEST["evaluation_keys"]}
    keys = [
        {"object": name, "log_qp": sum(math.log2(LIMBS[limb]) for limb in limbs), "limit": 0, "row": "none"}
        for name, limbs in objects.items()
    ]
    errors = {"deviation": 2.0**-40, "error_norm": 2.0**-37, "flooding_deviation": flooding}
    output = {"name": "result", **errors, "precision_bits": -math.log2(flooding)}
    promise = {"log2_failure": -130.0, "decryptions": 3, "statistical_bits": 20}
    return {**MANIFEST, "certificate": {"keys": keys, **promise, "outputs": [output]}}


def certificates() -> Iterator[Seed]:
    whole = certified()
    output = "certificate/outputs/0"
    wide = 2.0**45  # level 0 has 50 bits
    cases: dict[str, list[tuple[str, Any]]] = {
        "certificate": [],
        "certificate-of-nothing": [
            ("certificate/outputs", []),
            ("certificate/decryptions", 0),
            ("certificate/statistical_bits", 0),
        ],
        "refused-certificate-key": [("certificate/keys/1/log_qp", 200)],
        "refused-certificate-limit": [("certificate/keys/0/limit", 106)],
        "refused-certificate-failure": [("certificate/log2_failure", 0.001)],
        "refused-certificate-count": [("certificate/decryptions", 4)],
        "refused-certificate-most": [("certificate/decryptions", 2**40 + 1)],
        "refused-certificate-flooding": [(f"{output}/flooding_deviation", 6143 * 2.0**-37)],
        "refused-certificate-norm": [(f"{output}/error_norm", 5.65 * 2.0**-40)],
        "refused-certificate-deviation": [(f"{output}/deviation", 2.0**-45)],
        "refused-certificate-precision": [(f"{output}/precision_bits", 24.5)],
        "refused-certificate-outputs": [("certificate/outputs", [])],
        "refused-certificate-wide": [(f"{output}/flooding_deviation", wide), (f"{output}/precision_bits", -45)],
    }
    for name, changes in cases.items():
        yield f"{name}.json", text(changed(whole, *changes))


# --- JSON ------------------------------------------------------------------------------------------------------------
def manifests() -> Iterator[Seed]:
    yield "sample.json", (GOLDEN / "manifest.json").read_bytes()
    galois = MANIFEST["evaluation_keys"][1]
    cases: dict[str, list[tuple[str, Any]]] = {
        "permuted": [("evaluation_keys/1/permuted", True)],
        "both-rotations": [("evaluation_keys", [galois, {**galois, "permuted": True}])],
        "no-keys": [("evaluation_keys", [])],
        "last-element": [("evaluation_keys/1/element", 2 * N - 1)],
        "refused-element": [("evaluation_keys/1/element", 2 * N)],
        "refused-permuted": [("evaluation_keys/1/permuted", 1)],
        "refused-digit-twice": [("evaluation_keys/0/digits", [[0], [0, 1, 2]])],
        "scalar": [("inputs/1/shape", []), ("inputs/1/lanes", 1)],
        "rank-8": [("inputs/0/shape", [1, 1, 1, 1, 1, 1, 2, 2])],
        "refused-rank-9": [("inputs/0/shape", [1, 1, 1, 1, 1, 1, 1, 2, 2])],
        "all-slots": [("inputs/0/shape", [32]), ("inputs/0/lanes", 32), ("inputs/0/batch", 1)],
        "refused-lanes": [("inputs/0/shape", [64]), ("inputs/0/lanes", 64), ("inputs/0/batch", 1)],
        "one-slot": [
            ("slots", 1),
            *((f"{port}/shape", []) for port in ("inputs/0", "inputs/1", "outputs/0")),
            *((f"{port}/{size}", 1) for port in ("inputs/0", "inputs/1", "outputs/0") for size in ("lanes", "batch")),
        ],
        "name-of-256": [("program/name", "n" * 256)],
        "refused-name-of-257": [("program/name", "n" * 257)],
        "many-tensors": [("inputs", [changed(MANIFEST["inputs"][0], ("name", f"x{k}")) for k in range(40)])],
        "long-scale": [("inputs/0/scale/exact", " * ".join(["2^1"] * 45))],
        "largest-count": [("forecast/key_bytes", 2**53)],
        "refused-count": [("forecast/key_bytes", 2**53 + 1)],
        "refused-version": [("version", 2)],
        "refused-limb": [("ring/limbs/0", 2**50 + 2 * N + 1)],
    }
    for name, changes in cases.items():
        yield f"{name}.json", text(changed(MANIFEST, *changes))
    yield "spaced.json", json.dumps(MANIFEST, indent=40).encode()
    yield "unknown-fields.json", text({**MANIFEST, "later": [[[[[[[{"a": [{}, None, -1.5e-300]}]]]]]]]})
    yield "refused-surrogate.json", text({**MANIFEST, "later": "\ud800"})
    yield from certificates()
    yield "refused-deep.json", b'{"format":' + b"[" * 2000 + b"]" * 2000 + b"}"


def program_sections() -> Iterator[tuple[str, Any]]:
    """Documents; those of an artifact and of the target `program_section`."""
    whole = json.loads((CORPUS / "program_section" / "sample.json").read_text())
    arena = 2**40 // (8 * N)
    matrix = {"direction": "slots_to_coefficients", "log_slots": 3, "first": 2, "count": 2, "factor": 0.1}
    matrix |= {"form": "from_halves", "halved_column": True}
    diagonal = {"kind": "dft_diagonal", "matrix": matrix, "index": 15, "rotation": 4}
    diagonal |= {key: whole["constants"][0][key] for key in ("scale", "limbs")}
    cases: dict[str, list[tuple[str, Any]]] = {
        "three-polynomials": [("outputs/0/slots", [[44], [46], [47]])],
        "refused-four-polynomials": [("outputs/0/slots", [[44], [46], [47], [48]])],
        "last-slot": [("outputs/0/slots", [[59], [59]])],
        "refused-slot": [("outputs/0/slots", [[60], [0]])],
        "refused-slot-twice": [("inputs/1/slots/0", [40, 7, 8])],
        "largest-arena": [("arena_slots", arena), ("outputs/0/slots", [[arena - 1], [0]])],
        "refused-arena": [("arena_slots", arena + 1)],
        "scratch": [("scratch_slots", 1 << 16)],
        "refused-scratch": [("scratch_slots", (1 << 16) + 1)],
        "complex": [("constants/0/complex", True), ("constants/0/count", 2)],
        "refused-complex": [("constants/0/complex", True)],
        "last-value": [("constants/0/count", 1), ("constants/0/offset", 5)],
        "refused-offset": [("constants/0/offset", 3)],
        "refused-count": [("constants/0/count", 3)],
        "more-slots": [("constants/0/slots", N // 2), ("constants/0/count", 4)],
        "refused-slots": [("constants/0/slots", 3)],
        "refused-slots-of-count": [("constants/0/slots", 2)],
        "every-limb": [("constants/0/limbs", [4, 3, 2, 1, 0])],
        "many-constants": [("constants", whole["constants"] * 100)],
        "diagonals": [("constants", [diagonal, {**diagonal, "slots": 16, "index": 9, "rotation": 0}])],
        "refused-diagonal-size": [("constants", [{**diagonal, "slots": 8}])],
        "refused-diagonal-index": [("constants", [{**diagonal, "index": 16}])],
        "refused-diagonal-rotation": [("constants", [{**diagonal, "rotation": 16}])],
        "refused-diagonal-group": [("constants", [{**diagonal, "matrix": {**matrix, "count": 3}}])],
        "refused-diagonal-factor": [("constants", [{**diagonal, "matrix": {**matrix, "factor": "1"}}])],
        "refused-diagonal-form": [("constants", [{**diagonal, "matrix": {**matrix, "form": "round"}}])],
        "no-constants-no-keys": [("constants", []), ("keys", [])],
        "refused-key": [("keys", [0, 2])],
    }
    yield "sample.json", whole
    for name, changes in cases.items():
        yield f"{name}.json", changed(whole, *changes)


# --- Files of sections -----------------------------------------------------------------------------------------------
def artifacts() -> Iterator[Seed]:
    sample = (CORPUS / "artifact" / "sample.sluice").read_bytes()
    yield "sample.sluice", sample
    parts = sections(sample)

    def artifact(manifest: Any, **others: bytes) -> bytes:
        """A file whose manifest names the program that it holds."""
        found = {**parts, **others}
        digest = hashlib.blake2b(b"".join(found[name] for name in found if name != "manifest"), digest_size=32)
        found["manifest"] = text(changed(manifest, ("program/id", digest.hexdigest())))
        return container(PROGRAM, found)

    manifest = json.loads(parts["manifest"])
    for name, program in program_sections():
        if name in (
            "three-polynomials.json",
            "largest-arena.json",
            "complex.json",
            "diagonals.json",
            "no-constants-no-keys.json",
        ):
            yield name.replace("json", "sluice"), artifact(manifest, program=text(program))
    yield "permuted.sluice", artifact(changed(manifest, ("evaluation_keys/1/permuted", True)))
    yield "devices.sluice", artifact(manifest, launches=dict(launches())["sample.launches"], device=b"code")
    yield "refused-device.sluice", artifact(manifest, device=b"code")
    yield "no-code.sluice", artifact(manifest, code=b"")
    yield "refused-constants.sluice", artifact(manifest, constant=parts["constant"][:-1])
    yield "refused-sections.sluice", container(PROGRAM, {name: parts[name] for name in ("manifest", "program", "code")})
    yield "other-order.sluice", container(PROGRAM, dict(reversed(parts.items())))


def with_word(rows: bytes, index: int, word: int) -> bytes:
    words = list(struct.unpack(f"<{len(rows) // 8}Q", rows))
    words[index] = word
    return struct.pack(f"<{len(words)}Q", *words)


def large_header(parts: dict[str, bytes], size: int) -> dict[str, bytes]:
    """The header filled up to `size` bytes by a field that no reader knows."""
    header = json.loads(parts["header"])
    missing = size - len(text({**header, "later": ""}))
    return {**parts, "header": text({**header, "later": "x" * missing})}


def edited(parts: dict[str, bytes], *changes: tuple[str, Any], **others: bytes) -> dict[str, bytes]:
    return {**parts, "header": text(changed(json.loads(parts["header"]), *changes)), **others}


def golden(name: str) -> dict[str, bytes]:
    return sections((GOLDEN / name).read_bytes())


def ciphertexts() -> Iterator[tuple[str, dict[str, bytes]]]:
    x, y, result = golden("x.ct"), golden("y.ct"), golden("result.ct")
    yield from (("x.ct", x), ("y.ct", y), ("result.ct", result))
    yield "three-polynomials.ct", edited(result, ("polynomials", 3), data=result["data"] + result["data"][: 8 * N])
    yield "refused-three-polynomials.ct", edited(y, ("polynomials", 3), data=y["data"] + y["data"][: 3 * 8 * N])
    yield "refused-seeded.ct", edited(result, ("polynomials", 3), ("seeded", True), seed=bytes(32))
    yield "largest-residue.ct", edited(result, data=with_word(result["data"], N - 1, LIMBS[0] - 1))
    yield "refused-residue.ct", edited(result, data=with_word(result["data"], 2 * N - 1, LIMBS[0]))
    yield "all-items.ct", edited(x, ("items", 8))
    yield "refused-items.ct", edited(x, ("items", 9))
    yield "refused-no-data.ct", {name: x[name] for name in ("header", "seed")}
    yield "large-header.ct", large_header(result, HEADER_BYTES)
    yield "refused-header.ct", large_header(result, HEADER_BYTES + 1)


def evaluation_keys() -> Iterator[tuple[str, dict[str, bytes]]]:
    keys = golden("eval.keys")
    listed = json.loads(keys["header"])["keys"]
    yield "eval.keys", keys
    yield "permuted.keys", edited(keys, ("keys/1/permuted", True))
    yield "refused-order.keys", edited(keys, ("keys", listed[::-1]))
    yield "refused-missing.keys", edited(keys, ("keys", listed[:1]))
    yield "refused-twice.keys", edited(keys, ("keys", [*listed, listed[1]]))
    yield "refused-special.keys", edited(keys, ("special", [4, 3]))
    yield "refused-seeds.keys", edited(keys, seeds=keys["seeds"][:-1])
    yield "largest-residue.keys", edited(keys, keys=with_word(keys["keys"], N - 1, LIMBS[3] - 1))
    yield "refused-residue.keys", edited(keys, keys=with_word(keys["keys"], N - 1, LIMBS[3]))
    yield "large-header.keys", large_header(keys, 20_000)


def public_keys() -> Iterator[tuple[str, dict[str, bytes]]]:
    key = golden("public.key")
    yield "public.key", key
    yield "largest-residue.key", edited(key, data=with_word(key["data"], 0, LIMBS[3] - 1))
    yield "refused-residue.key", edited(key, data=with_word(key["data"], 0, LIMBS[3]))
    yield "refused-limbs.key", edited(key, ("limbs", [0, 1, 2, 3, 4]))
    yield "refused-short.key", edited(key, data=key["data"][: -8 * N])
    yield "refused-seed.key", edited(key, seed=key["seed"] + b"\0")
    yield "large-header.key", large_header(key, HEADER_BYTES)


def secret_keys() -> Iterator[tuple[str, dict[str, bytes]]]:
    key = golden("secret.key")
    yield "secret.key", key
    for name, coefficients in {
        "zeros": bytes(N),
        "ones": b"\x01" * N,
        "minus-ones": b"\xff" * N,
        "refused-two": b"\x02" + bytes(N - 1),
        "refused-minus-128": bytes(N - 1) + b"\x80",
        "refused-short": bytes(N - 1),
        "refused-long": bytes(N + 1),
    }.items():
        yield f"{name}.key", edited(key, secret=coefficients)
    sharing = {"manifest": "ab" * 32, "allowed": 2**40}
    yield "sharing.key", edited(key, ("sharing", sharing))
    yield "refused-sharing-allowed.key", edited(key, ("sharing", {**sharing, "allowed": 2**40 + 1}))
    yield "refused-sharing-none.key", edited(key, ("sharing", {**sharing, "allowed": 0}))
    yield "refused-sharing-manifest.key", edited(key, ("sharing", {**sharing, "manifest": "ab" * 31}))
    yield "refused-log-n.key", edited(key, ("log_n", 7), secret=bytes(2 * N))
    yield "refused-key-id.key", edited(key, ("key", "F" * 32))
    yield "large-header.key", large_header(key, HEADER_BYTES)


def share_counts() -> Iterator[tuple[str, dict[str, bytes]]]:
    """Of the golden secret key, which allows 3."""
    binding = json.loads(golden("secret.key")["header"])
    count = {"header": text({**binding, "allowed": 3, "used": 0})}
    yield "none.count", count
    yield "last.count", edited(count, ("used", 2))
    yield "refused-used.count", edited(count, ("used", 4))
    yield "refused-negative.count", edited(count, ("used", -1))
    yield "refused-allowed.count", edited(count, ("allowed", 2**40 + 1))
    yield "refused-key.count", edited(count, ("key", "f" * 32))
    yield "refused-program.count", edited(count, ("program", "f" * 64))
    yield "refused-more-sections.count", {**count, "secret": b""}
    yield "large-header.count", large_header(count, HEADER_BYTES)
    yield "refused-large-header.count", large_header(count, HEADER_BYTES + 1)


def split(parts: dict[str, bytes]) -> bytes:
    """Header, zero, whether there is a middle section, the rest."""
    header, *rest = parts.values()
    return header + b"\0" + bytes([max(len(rest) - 1, 0)]) + b"".join(rest)


def frames() -> Iterator[Seed]:
    """Of the target `section`: the first byte chooses the kind that is asked for."""
    for name in ("x.ct", "y.ct", "result.ct", "eval.keys", "public.key", "secret.key"):
        content = (GOLDEN / name).read_bytes()
        yield name, bytes([content[12] - 1]) + content
    kind = bytes([SECRET_KEY - 1])
    yield "empty-sections", kind + container(SECRET_KEY, {"header": b"", "secret": b""})
    yield "sizes-around-64", kind + container(SECRET_KEY, {"header": b"h" * 64, "seed": b"s" * 65, "data": b"d" * 63})
    yield "refused-no-section", kind + container(SECRET_KEY, {})
    yield "refused-65-sections", kind + container(SECRET_KEY, {f"s{k}": b"" for k in range(65)})
    yield "refused-64-unknown", kind + container(SECRET_KEY, {f"s{k}": b"" for k in range(64)})
    yield "refused-version", kind + container(SECRET_KEY, {"header": b"h"}, version=2)
    whole = container(SECRET_KEY, {"header": b"h", "secret": b"s"})
    for name, place, value in (("offset", 32, 2**64 - 64), ("size", 40, 2**64 - 1), ("reserved", 20, 1)):
        yield f"refused-{name}", kind + whole[:place] + struct.pack("<Q", value) + whole[place + 8 :]


# --- Values ----------------------------------------------------------------------------------------------------------
def npy_file(header: str, values: bytes, version: int = 1, header_bytes: int = 0) -> bytes:
    start = 10 if version == 1 else 12
    padded = header.encode().ljust(header_bytes or -(-(start + len(header) + 1) // 64) * 64 - start - 1) + b"\n"
    return b"\x93NUMPY" + struct.pack("<BBH" if version == 1 else "<BBI", version, 0, len(padded)) + padded + values


def npy_header(kind: str, shape: str = "(2, 3)", fortran: bool = False) -> str:
    return f"{{'descr': '{kind}', 'fortran_order': {fortran}, 'shape': {shape}, }}"


def npy_files() -> Iterator[Seed]:
    six = (0, 1, 1, 0, 1, 1)
    kinds = {"f8": "d", "f4": "f", "i8": "q", "i4": "i", "i2": "h", "i1": "b", "u8": "Q", "u4": "I", "b1": "?"}
    for (kind, letter), order in itertools.product(kinds.items(), "<>"):
        values = struct.pack(f"{order}6{letter}", *six)
        yield f"{kind}-{'little' if order == '<' else 'big'}.npy", npy_file(npy_header(order + kind), values)
    doubles = struct.pack("<6d", *six)
    yield "fortran.npy", npy_file(npy_header("<f8", fortran=True), doubles)
    yield "scalar.npy", npy_file(npy_header("<f8", "()"), doubles[:8])
    yield "empty.npy", npy_file(npy_header("<f8", "(0, 4)", fortran=True), b"")
    yield "rank-8.npy", npy_file(npy_header("<f8", "(1, 1, 1, 1, 1, 1, 2, 3)", fortran=True), doubles)
    yield "refused-rank-9.npy", npy_file(npy_header("<f8", "(1, 1, 1, 1, 1, 1, 1, 2, 3)"), doubles)
    yield "refused-overflow.npy", npy_file(npy_header("<f8", "(9223372036854775808, 2)"), doubles)
    yield "complex.npy", npy_file(npy_header("<c16", "(3,)"), doubles)
    yield "refused-records.npy", npy_file("{'descr': [('a', '<f8')], 'fortran_order': False, 'shape': (6,), }", doubles)
    yield "version-2.npy", npy_file(npy_header("<f8"), doubles, version=2)
    yield "version-3.npy", npy_file(npy_header("<f8"), doubles, version=3)
    yield "refused-version-4.npy", npy_file(npy_header("<f8"), doubles, version=4)
    yield "large-header.npy", npy_file(npy_header("<f8"), doubles, version=2, header_bytes=64 * 1024 - 1)
    yield "refused-header.npy", npy_file(npy_header("<f8"), doubles, version=2, header_bytes=64 * 1024)


CSV_FILES = {
    "numbers.csv": b"a,b,c\n1,2.5,-3e-2\n4,5,6\n",
    "one.csv": b"1\r\n2\r\nnan\r\n",
    "mark.csv": b"\xef\xbb\xbfmean radius,b\n1,2\n",
    "comments.csv": b"# 1,2\n\n1,2\n # 3\n3,4",
    "signs.csv": b"+1,-.5,+.25e+1,1.,-0,inf,-nan\n",
    "limits.csv": b"1.7976931348623157e308,2.2250738585072014e-308,5e-324\n",
    "digits.csv": b"0." + b"3" * 400 + b"," + b"9" * 300 + b"\n",
    "wide.csv": b",".join([b"1"] * 500) + b"\n",
    "long.csv": b"7\n" * 500,
    "refused-limits.csv": b"1e309,1e-400\n",
    "refused-empty.csv": b"",
    "refused-names.csv": b"a,b\n",
    "refused-semicolons.csv": b"1,5;2,5\n",
    "refused-ragged.csv": b"1,2\n3\n",
    "refused-utf16.csv": b"\xff\xfe1\x00,\x002\x00\n\x00",
    "refused-quoted.csv": b'"1","2"\n"3","4"\n',
    "refused-empty-field.csv": b"1,,2\n",
    "refused-zero-byte.csv": b"1,2\x00\n",
}


def seeds() -> Iterator[tuple[str, str, bytes]]:
    """(target, name, content) of every seed."""
    yield from (("costs", *seed) for seed in costs())
    yield from (("manifest", *seed) for seed in manifests())
    yield from (("program_section", name, text(document)) for name, document in program_sections())
    yield from (("launches", *seed) for seed in launches())
    yield from (("artifact", *seed) for seed in artifacts())
    yield from (("section", *seed) for seed in frames())
    yield from (("npy", *seed) for seed in npy_files())
    yield from (("csv", *seed) for seed in CSV_FILES.items())
    objects = {
        "ciphertext": (CIPHERTEXT, ciphertexts),
        "evaluation_keys": (EVALUATION_KEYS, evaluation_keys),
        "public_key": (PUBLIC_KEY, public_keys),
        "secret_key": (SECRET_KEY, secret_keys),
        "share_count": (SHARE_COUNT, share_counts),
    }
    for target, (kind, files) in objects.items():
        for name, parts in files():
            yield target, name, container(kind, parts)
            if len(parts["header"]) < HEADER_BYTES // 8:
                yield target, f"{name}.sections", split(parts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--output", type=Path, default=CORPUS, help="folder of the corpora")
    output = parser.parse_args().output
    for target, name, content in seeds():
        (output / target).mkdir(parents=True, exist_ok=True)
        (output / target / name).write_bytes(content)


if __name__ == "__main__":
    main()
