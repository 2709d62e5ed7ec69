"""`sluice compile`: a Python function or an .mlir file to a .sluice file."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluice.cli.output import InsecureOption, JsonOption, Stopwatch, show
from sluice.cli.users_errors import users_errors

if TYPE_CHECKING:
    from sluice._compiler import CompileResult
    from sluice.program import Source


def compile_command(
    source: Annotated[str, typer.Argument(help="model.py:function (decorated by @sl.program) or model.mlir")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The .sluice file, or text with --to.")],
    precision: Annotated[float, typer.Option(help="Bits of precision wanted of every output.")] = 16,
    batch: Annotated[int | None, typer.Option(help="Items that one ciphertext is to hold.")] = None,
    name: Annotated[str | None, typer.Option(help="Name of the program; by default the function's.")] = None,
    log_n: Annotated[int | None, typer.Option(help="log2 of the ring dimension; by default the smallest.")] = None,
    comparison_gap: Annotated[
        float | None, typer.Option(help="Part of the largest |a - b| below which comparisons need not be decided.")
    ] = None,
    costs: Annotated[
        Path | None, typer.Option(help="Cost file of `sluice calibrate`; by default a generic CPU.")
    ] = None,
    decryptions: Annotated[
        int, typer.Option(min=0, help="Decryptions that may be shared under one secret key (decrypt --share).")
    ] = 0,
    statistical_bits: Annotated[float, typer.Option(help="Statistical bits that sharing promises.")] = 30,
    target: Annotated[str, typer.Option(help="cpu, or cuda: runs on the CPU and on CUDA devices.")] = "cpu",
    insecure: InsecureOption = False,
    from_phase: Annotated[str, typer.Option("--from", help="Phase that an .mlir file is in.")] = "traced",
    to_phase: Annotated[str, typer.Option("--to", help="Stop at this phase and write its text.")] = "artifact",
    manifest: Annotated[Path | None, typer.Option(help="Also write the manifest, which clients need.")] = None,
    cuda_source: Annotated[
        Path | None, typer.Option(help="Also write the CUDA C++ source of the device code; with --to llvm or artifact.")
    ] = None,
    verbose: Annotated[
        bool, typer.Option("-v", "--verbose", help="Print the parameters that were looked at, on stderr.")
    ] = False,
    as_json: JsonOption = False,
) -> None:
    """Compile a Python function or an .mlir file."""
    from sluice.files import write_bytes
    from sluice.manifest import Manifest, byte_text
    from sluice.program import Options, make_source

    watch = Stopwatch()
    function = _load(source)
    if callable(function) and from_phase != "traced":
        raise typer.BadParameter(f"--from {from_phase} is for .mlir files; a Python function is always traced")
    if cuda_source is not None and (target != "cuda" or to_phase not in ("llvm", "artifact")):
        raise typer.BadParameter("--cuda-source needs --target cuda and --to llvm or artifact")
    with users_errors(source.rpartition(":")[0]):
        sharing = (decryptions, statistical_bits)
        options = Options(precision, batch, name, log_n, insecure, from_phase, comparison_gap, costs, *sharing, target)
        traced = make_source(function, (), options)
    if to_phase != "artifact":
        write_bytes(output, _stage_text(traced, to_phase, verbose).encode())
        if cuda_source is not None:
            write_bytes(cuda_source, (traced.compile(to_phase).device_source or "").encode())
        show(as_json, {"output": str(output), "phase": to_phase}, [("phase", to_phase), ("output", str(output))])
        return
    result = _compile(traced, to_phase, verbose)
    write_bytes(output, result.artifact)
    if cuda_source is not None:
        write_bytes(cuda_source, (result.device_source or "").encode())
    described = Manifest(result.manifest)
    if manifest is not None:
        write_bytes(manifest, described.bytes)
    milliseconds = watch.lap_ms()
    size = len(result.artifact)
    show(
        as_json,
        {
            "output": str(output),
            "bytes": size,
            "compile_ms": milliseconds,
            "manifest": described.json,
            "candidates": json.loads(result.report_json)["candidates"],
        },
        [
            *described.rows(),
            ("output", f"{output}, {byte_text(size)}"),
            ("compiled", f"in {milliseconds / 1000:.2f} s"),
        ],
    )


def _compile(source: Source, phase: str, verbose: bool) -> CompileResult:
    """Compiles, and prints the candidates if they are wanted; also where none was found."""
    from sluice.errors import CompileError

    try:
        result = source.compile(phase)
    except CompileError as problem:
        if verbose:
            print(problem.candidates, end="", file=sys.stderr)
        raise
    if verbose:
        print(result.candidates, end="", file=sys.stderr)
    return result


def _stage_text(source: Source, phase: str, verbose: bool) -> str:
    if phase == source.options.from_phase:
        return source.text
    text: str = _compile(source, phase, verbose).stages[-1][1]
    return text


def _load(source: str) -> Callable[..., Any] | str:
    """What `model.py:function` names, imported with the file's folder on the path; another text is a path."""
    path, colon, attribute = source.rpartition(":")
    if not colon or not path.endswith(".py"):
        if source.endswith(".py"):
            raise typer.BadParameter(f"{source} names no function; write {source}:function")
        return source
    import importlib.util

    from sluice.errors import InputOutputError, InvalidArgumentError

    if not Path(path).is_file():
        raise InputOutputError(f"{path}: no such file")
    sys.path.insert(0, str(Path(path).resolve().parent))
    spec = importlib.util.spec_from_file_location(Path(path).stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[Path(path).stem] = module
    with users_errors(path, importing=True):
        spec.loader.exec_module(module)
    function: Callable[..., Any] | None = getattr(module, attribute, None)
    if function is None:
        raise InvalidArgumentError(f"{path} has no function {attribute!r}")
    if not getattr(function, "secrets", ()):
        raise InvalidArgumentError(
            f"{path}: {attribute} does not say which secrets it takes; decorate it by @sl.program(sl.Secret(...))"
        )
    return function
