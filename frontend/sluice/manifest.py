"""Reading a manifest: what a client must know of a program, and what people want to see of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from sluice.errors import CorruptFileError


@dataclass(frozen=True)
class TensorSpec:
    """One input or output: its shape, and how many items of a batch it holds."""

    name: str
    shape: tuple[int, ...]
    range: tuple[float, float] | None
    batch: int
    batched: bool
    level: int
    scale: str
    complex: bool = False

    @classmethod
    def from_json(cls, tensor: dict[str, Any]) -> TensorSpec:
        bounds = tensor.get("range")
        return cls(
            name=tensor["name"],
            shape=tuple(tensor["shape"]),
            range=(float(bounds[0]), float(bounds[1])) if bounds else None,
            batch=tensor["batch"],
            batched=tensor["batched"],
            level=tensor["level"],
            scale=tensor["scale"]["exact"],
            complex=tensor.get("complex", False),
        )

    def describe(self) -> str:
        complex_ = "complex " if self.complex else ""
        extents = " x ".join(str(extent) for extent in self.shape)
        values = f"{extents} {complex_}values" if self.shape else f"one {complex_}value"
        bounds = f" in [{self.range[0]:g}, {self.range[1]:g}]" if self.range else ""
        batch = f", up to {self.batch} items" if self.batched else ""
        return f"{self.name}: {values}{bounds}{batch}, level {self.level}, scale {self.scale}"


class Manifest:
    """A manifest's JSON with names for what is read often."""

    def __init__(self, text: bytes | str):
        self.bytes = text.encode() if isinstance(text, str) else bytes(text)
        try:
            self.json: dict[str, Any] = json.loads(self.bytes)
            self.name: str = self.json["program"]["name"]
            self.id: str = self.json["program"]["id"]
            self.inputs = [TensorSpec.from_json(tensor) for tensor in self.json["inputs"]]
            self.outputs = [TensorSpec.from_json(tensor) for tensor in self.json["outputs"]]
        except (ValueError, KeyError, TypeError, IndexError) as problem:
            raise CorruptFileError(f"this is no sluice manifest: {problem}") from None

    def rows(self) -> list[tuple[str, str]]:
        """Pairs (what, value) for people: the lines of print(program) and of `sluice inspect`."""
        ring, security, forecast = self.json["ring"], self.json["security"], self.json["forecast"]
        kinds = [key["kind"] for key in self.json["evaluation_keys"]]
        precision = forecast.get("precision_bits")
        milliseconds = forecast.get("time_ms")
        return [
            ("program", f"{self.name}, id {self.id[:16]}"),
            ("security", security_text(security)),
            *certificate_rows(self.json.get("certificate")),
            (
                "ring",
                f"N = 2^{ring['log_n']}, {self.json['slots']} slots, {len(ring['limbs'])} limbs, "
                f"{len(ring['special'])} of them special",
            ),
            (
                "circuit",
                f"{forecast['levels']} levels, {forecast['ciphertext_products']} ciphertext products, "
                f"{forecast['key_switches']} key switches",
            ),
            *(("input", tensor.describe()) for tensor in self.inputs),
            *(("output", tensor.describe()) for tensor in self.outputs),
            (
                "keys",
                f"{len(kinds)} ({', '.join(key_counts(kinds))}), {byte_text(forecast['key_bytes'])}",
            ),
            ("arena", byte_text(forecast["arena_bytes"])),
            ("precision", "no forecast" if not precision else f"{precision:.1f} bits expected"),
            *([] if not milliseconds else [("time", f"{milliseconds:.3g} ms a run expected on one thread")]),
        ]


def key_counts(kinds: list[str]) -> list[str]:
    """How many keys there are of each kind, in words; the ephemeral secret's only where there are some."""
    counts = [f"{kinds.count('relinearize')} relinearisation", f"{kinds.count('galois')} rotation"]
    ephemeral = kinds.count("to_ephemeral") + kinds.count("to_main")
    return counts + ([f"{ephemeral} ephemeral"] if ephemeral else [])


def security_text(security: dict[str, Any]) -> str:
    """The security row: the claim, the largest modulus under the secret key, and the table's row that allows it."""
    if security["insecure"]:
        return f"INSECURE, for tests only: log QP {security['log_qp']:.1f}"
    modulus = f"log QP {security['log_qp']:.1f} of at most {security['limit']:g}"
    return f"{security['bits']:g} bits: {modulus} ({security['row']})"


def certificate_rows(certificate: dict[str, Any] | None) -> list[tuple[str, str]]:
    """What the certificate says beyond the security row: each kind of key, failures, what may be shared."""
    if certificate is None:  # of an older compiler
        return []
    rows = [
        ("key", f"{key['object']}: log QP {key['log_qp']:.1f} of at most {key['limit']} ({key['row']})")
        for key in certificate["keys"]
    ]
    if "log2_failure" in certificate:
        rows.append(("failure", f"2^{certificate['log2_failure']:.1f} a run, of its bootstraps"))
    count, outputs = certificate["decryptions"], certificate["outputs"]
    rows += [
        ("noise", f"{one['name']}: deviation {one['deviation']:.3g}, norm at most {one['error_norm']:.3g}")
        for one in outputs
    ]
    if not count:
        return [*rows, ("sharing", "no decryption may be shared (compile with --decryptions)")]
    rows.append(
        ("sharing", f"{count} decryptions under one secret key, {certificate['statistical_bits']:g} statistical bits")
    )
    rows += [
        (
            "sharing",
            f"{one['name']}: flooded by a deviation of {one['flooding_deviation']:.3g}, "
            f"{one['precision_bits']:.1f} bits of precision left",
        )
        for one in outputs
    ]
    return rows


def byte_text(count: int) -> str:
    """A number of bytes for people: 512 B, 1.5 kB, 30.1 MB (powers of 1000)."""
    value, unit = float(count), "B"
    for larger in ("kB", "MB", "GB", "TB"):
        if value < 999.5:
            break
        value, unit = value / 1000, larger
    return f"{int(count)} B" if unit == "B" else f"{value:.3g} {unit}"


def table(rows: list[tuple[str, str]]) -> str:
    """Two aligned columns; a label that repeats is written once."""
    width = max(len(label) for label, _ in rows)
    lines, before = [], None
    for label, value in rows:
        lines.append(f"{'' if label == before else label:<{width}}  {value}")
        before = label
    return "\n".join(lines)
