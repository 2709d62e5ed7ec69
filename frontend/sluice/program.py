"""`compile` and `Program`: from a function or an .mlir file to the artifact that a server runs."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sluice.errors import CompileError, InvalidArgumentError, NotFoundError
from sluice.files import read_bytes, write_bytes
from sluice.manifest import Manifest, byte_text, table
from sluice.tracing.functions import checked_count
from sluice.tracing.source import SourceLocation
from sluice.tracing.tracer import Secret, trace

if TYPE_CHECKING:
    import numpy as np

    from sluice import _compiler


TARGETS = ("cpu", "cuda")


@dataclass(frozen=True)
class Options:
    """How to compile; `compile` says what they mean. `from_phase` is the phase that an .mlir file is in."""

    precision: float = 16
    batch: int | None = None
    name: str | None = None
    log_n: int | None = None
    insecure: bool = False
    from_phase: str = "traced"
    comparison_gap: float | None = None
    costs: str | os.PathLike[str] | None = None
    decryptions: int = 0
    statistical_bits: float = 30
    target: str = "cpu"

    def __post_init__(self) -> None:
        self.for_compiler()  # refuses what is wrong before anything is traced

    def for_compiler(self) -> dict[str, Any]:
        """The keyword arguments of _compiler.compile."""
        try:
            bits = float(self.precision)
        except (TypeError, ValueError):
            bits = math.nan
        if not 1 <= bits <= 50:
            raise InvalidArgumentError(f"precision must be between 1 and 50 bits, not {self.precision!r}")
        try:
            gap = 0.0 if self.comparison_gap is None else float(self.comparison_gap)
        except (TypeError, ValueError):
            gap = math.nan
        if not 0 <= gap < 1 or (gap == 0 and self.comparison_gap is not None):
            raise InvalidArgumentError(f"comparison_gap must be above 0 and below 1, not {self.comparison_gap!r}")
        if not isinstance(self.name or "", str):
            raise InvalidArgumentError(f"the name of a program must be a string, not {self.name!r}")
        return {
            "name": self.name or "",
            "precision_bits": bits,
            "batch": 0 if self.batch is None else checked_count(self.batch, "batch"),
            "log_n": 0 if self.log_n is None else checked_count(self.log_n, "log_n"),
            "comparison_gap": gap,
            "insecure": self.insecure,
            "from_phase": self.from_phase,
            "costs": self._cost_file(),
            "decryptions": 0 if self.decryptions == 0 else checked_count(self.decryptions, "decryptions"),
            "statistical_bits": self._checked_statistical_bits(),
            "target": self._checked_target(),
        }

    def _checked_target(self) -> str:
        if self.target not in TARGETS:
            raise InvalidArgumentError(f"target must be one of {', '.join(TARGETS)}, not {self.target!r}")
        return self.target

    def _checked_statistical_bits(self) -> float:
        least = 1 if self.insecure else 30
        try:
            bits = float(self.statistical_bits)
        except (TypeError, ValueError):
            bits = math.nan
        if not least <= bits <= 128:
            raise InvalidArgumentError(
                f"statistical_bits must be between {least} and 128, not {self.statistical_bits!r}"
            )
        return bits

    def _cost_file(self) -> str:
        if self.costs is None:
            return ""
        path = os.fspath(self.costs) if isinstance(self.costs, (str, os.PathLike)) else None
        if not isinstance(path, str) or not path:
            raise InvalidArgumentError(f"costs must be the path of a cost file, not {self.costs!r}")
        return path


@dataclass(frozen=True)
class Source:
    """What a program is compiled from: MLIR text of phase `options.from_phase`, and the options."""

    text: str
    file_name: str
    options: Options

    def compile(self, to_phase: str) -> _compiler.CompileResult:
        """Runs the compiler up to a phase; raises CompileError with the user's lines."""
        from sluice import _compiler

        try:
            result = _compiler.compile(self.text, self.file_name, to_phase=to_phase, **self.options.for_compiler())
        except ValueError as problem:
            raise InvalidArgumentError(str(problem)) from None
        if not result.succeeded:
            text = "\n".join(diagnostic_text(diagnostic) for diagnostic in result.diagnostics)
            raise CompileError(text, result.candidates)
        return result

    def stage_text(self, phase: str) -> str:
        """The program in a phase before the artifact."""
        if phase == "artifact":
            raise InvalidArgumentError("the artifact is no text; use to_bytes() or save()")
        return self.text if phase == self.options.from_phase else self.compile(phase).stages[-1][1]


@dataclass(frozen=True)
class Stage:
    """A program in one phase of the compiler."""

    name: str
    text: str

    def as_text(self) -> str:
        return self.text

    __str__ = as_text


class Program:
    """A compiled program: the artifact for the server, the manifest for clients, and how it came to be."""

    def __init__(
        self,
        artifact: bytes,
        manifest: Manifest,
        source: Source | None = None,
        report: dict[str, Any] | None = None,
    ):
        self._artifact = artifact
        self._source = source
        self._report = report
        self._manifest = manifest
        self._stages: dict[str, Stage] = {}

    @property
    def name(self) -> str:
        return self._manifest.name

    @property
    def manifest(self) -> bytes:
        """The manifest (JSON): all that a client needs. It holds no constant of the program."""
        return self._manifest.bytes

    def __str__(self) -> str:
        return table([*self._manifest.rows(), ("artifact", byte_text(len(self._artifact)))])

    def __repr__(self) -> str:
        return f"<sluice.Program {self.name} {self._manifest.id[:16]}>"

    def stage(self, name: str) -> Stage:
        """The program in phase "traced", "packed", "planned", "settled", "rns", "fused" or "llvm"."""
        if name not in self._stages:
            self._stages[name] = Stage(name, self._require_source("its stages").stage_text(name))
        return self._stages[name]

    def device_source(self) -> str:
        """The CUDA C++ source of what runs on GPUs, of a program that was compiled with target="cuda"."""
        source = self._require_source("the source of its device code")
        text = source.compile("llvm").device_source
        if text is None:
            raise InvalidArgumentError(
                f"program {self.name!r} was compiled for the CPU only; compile it with target='cuda'"
            )
        return text

    @property
    def candidates(self) -> list[dict[str, Any]]:
        """The parameters that the compiler looked at, the chosen ones first; none where they were given.

        Each has "verdict" (chosen, compared, pruned or refused, the last two with a "reason"), "log_n", "parameters",
        "time_ms", "bits", "key_bytes", "log_qp" and "log_q_left" (docs/python.md).
        """
        if self._report is None:
            raise NotFoundError(
                f"program {self.name!r} was loaded from an artifact, which does not hold its candidates; compile it "
                "from source"
            )
        found: list[dict[str, Any]] = self._report["candidates"]
        return found

    def simulate(self, *inputs: Any, noise_seed: int | None = None) -> np.ndarray | tuple[np.ndarray, ...]:
        """The twin: what the circuit computes, in the clear. Shapes as for Client.

        Without noise: the approximations alone. With `noise_seed`: errors drawn from the noise model, too.
        """
        from sluice.simulation import simulate

        begin = self._require_source("its twin").options.from_phase
        phase = "settled" if begin == "settled" or noise_seed is not None else "packed"
        return simulate(self.stage(phase).text, phase, self._manifest, inputs, noise_seed)

    def report(self, path: str | os.PathLike[str]) -> None:
        """Writes a self-contained HTML page: security, levels, operations, keys, memory, time."""
        from sluice.report import render

        stages = {} if self._source is None else {"settled": self.stage("settled").text}
        write_bytes(path, render(self._manifest, self._report, stages).encode())

    def to_bytes(self) -> bytes:
        """The artifact: the content of a .sluice file."""
        return self._artifact

    @classmethod
    def from_bytes(cls, artifact: bytes) -> Program:
        """A program from its artifact. Running it means trusting its author."""
        from sluice import _sluice

        return cls(bytes(artifact), Manifest(_sluice.program_manifest(artifact, "program")))

    def save(self, path: str | os.PathLike[str]) -> None:
        write_bytes(path, self._artifact)

    def _require_source(self, what: str) -> Source:
        if self._source is None:
            raise NotFoundError(
                f"program {self.name!r} was loaded from an artifact, which does not hold {what}; compile it from source"
            )
        return self._source


def compile(
    source: Callable[..., Any] | str | os.PathLike[str],
    *secrets: Secret,
    precision: float = 16,
    batch: int | None = None,
    name: str | None = None,
    log_n: int | None = None,
    insecure: bool = False,
    comparison_gap: float | None = None,
    costs: str | os.PathLike[str] | None = None,
    decryptions: int = 0,
    statistical_bits: float = 30,
    target: str = "cpu",
) -> Program:
    """Compiles a function of `secrets`, or the path of an .mlir file (phase traced), to a program.

    precision: bits wanted of every output, -log2 of the standard deviation of its error.
    batch: independent items that one ciphertext is to hold; inputs then have a leading axis.
    log_n: log2 of the ring dimension, by default the smallest that is secure and large enough.
    insecure: accept parameters below 128 bits of security, for tests.
    comparison_gap: comparisons of a and b are decided where |a - b| is at least this part of its largest value;
        by default 2 ** (-precision / 2). A smaller one takes more levels.
    costs: the cost file that `sluice calibrate` wrote, to choose and to forecast by; by default a generic CPU's.
    decryptions: how many decryptions under one secret key may be shared with whoever has the ciphertexts, by
        `client.decrypt(..., share=True)`; by default none. The precision then holds after noise flooding.
    statistical_bits: what flooding promises, at least 30 (docs/security.md says of what).
    target: "cpu", or "cuda" for a program that runs on CUDA devices too, with the same results bit for bit; nvcc then
        compiles its kernels (SLUICE_NVCC names one that is not on PATH).

    Raises TraceError or CompileError with the user's line.
    """
    program_source = make_source(
        source,
        secrets,
        Options(
            precision,
            batch,
            name,
            log_n,
            insecure,
            comparison_gap=comparison_gap,
            costs=costs,
            decryptions=decryptions,
            statistical_bits=statistical_bits,
            target=target,
        ),
    )
    result = program_source.compile("artifact")
    return Program(result.artifact, Manifest(result.manifest), program_source, json.loads(result.report_json))


def load(path: str | os.PathLike[str]) -> Program:
    """Reads a .sluice file."""
    return Program.from_bytes(read_bytes(path))


def make_source(
    source: Callable[..., Any] | str | os.PathLike[str], secrets: tuple[Secret, ...], options: Options
) -> Source:
    """The traced phase of a function, or the text of a file, with the options."""
    if isinstance(source, (str, os.PathLike)):
        if secrets:
            raise InvalidArgumentError("secrets of an .mlir file stand in the file, as argument attributes ckks.secret")
        return Source(_read_text(source), os.fspath(source), options)
    wanted = secrets or tuple(getattr(source, "secrets", ()))
    module = trace(source, wanted, name=options.name, batch=options.batch)
    return Source(module.text, f"<{module.name}>", options)


def _read_text(path: str | os.PathLike[str]) -> str:
    try:
        return read_bytes(path).decode()
    except UnicodeDecodeError as problem:
        raise CompileError(f"{os.fspath(path)}: this is no text (at byte {problem.start}); MLIR is UTF-8") from None


def diagnostic_text(diagnostic: _compiler.Diagnostic) -> str:
    """A message of the compiler with the user's line under it, then its notes."""
    severity = "" if diagnostic.severity == "error" else f"{diagnostic.severity}: "
    lines = [f"{severity}{diagnostic.message}"]
    if diagnostic.file:
        location = SourceLocation(diagnostic.file, diagnostic.line)
        lines = [f"{location.shown()}: {lines[0]}", *location.excerpt().splitlines()]
    lines += [diagnostic_text(note) for note in diagnostic.notes]
    return "\n".join(lines)
