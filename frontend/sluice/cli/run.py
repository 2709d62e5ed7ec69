"""`sluice run`: the server's step. It sees ciphertexts and evaluation keys, never a secret key."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from sluice.cli.output import JsonOption, Stopwatch, peak_memory_bytes, show


def run_command(
    program: Annotated[Path, typer.Argument(help="The .sluice file.")],
    ciphertexts: Annotated[list[Path], typer.Argument(help="One ciphertext an input, in order.")],
    output: Annotated[list[Path], typer.Option("-o", "--output", help="One file an output, in order.")],
    keys: Annotated[Path | None, typer.Option(help="eval.keys of the client, if the program needs any.")] = None,
    repeat: Annotated[int, typer.Option(min=1, help="Run so many times, for timing; the result is the same.")] = 1,
    device: Annotated[str, typer.Option(help="cpu, or cuda for a program that was compiled for it.")] = "cpu",
    as_json: JsonOption = False,
) -> None:
    """Run a program on ciphertexts."""
    from sluice.ciphertext import Ciphertext
    from sluice.manifest import byte_text
    from sluice.program import load
    from sluice.server import Server

    base_memory_bytes = peak_memory_bytes()
    watch = Stopwatch()
    server = Server(load(program), keys, device=device)
    load_ms = watch.lap_ms()
    outputs = server.output_names
    if len(output) != len(outputs):
        raise typer.BadParameter(f"the program has outputs {', '.join(outputs)}: give one -o for each")
    inputs = [Ciphertext.load(path) for path in ciphertexts]
    read_ms = watch.lap_ms()
    times, compute_times = [], []
    for _ in range(repeat):
        results = server.run(inputs)
        times.append(watch.lap_ms())
        compute_times.append(server.compute_ms)
    for result, path in zip(results, output):
        result.save(path)
    measures = {
        "backend": server.backend,
        "load_ms": load_ms,
        "read_ms": read_ms,
        "run_ms": times,
        "compute_ms": compute_times,
        "stages": [{"name": name, "ms": ms} for name, ms in server.stages_ms],
        "constant_bytes": server.constant_bytes,
        "base_memory_bytes": base_memory_bytes,
        "peak_memory_bytes": peak_memory_bytes(),
    }
    show(
        as_json,
        {"output": [str(path) for path in output], **measures},
        [
            *(("ciphertext", f"{path}, {byte_text(len(r.to_bytes()))}") for r, path in zip(results, output)),
            ("loaded", f"in {load_ms:.0f} ms"),
            ("ran", "in " + ", ".join(f"{ms:.1f}" for ms in times) + f" ms ({server.backend})"),
            ("memory", f"{byte_text(peak_memory_bytes())} at most"),
        ],
    )
