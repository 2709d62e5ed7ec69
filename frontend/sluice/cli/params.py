"""`sluice params`: the bootstraps that a precision asks for."""

from __future__ import annotations

from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from sluice.cli.output import JsonOption, progress, show

if TYPE_CHECKING:
    from sluice._compiler import Bootstrap


def params_command(
    bits: Annotated[
        list[float], typer.Option(help="-log2 of the standard deviation of a result's error; several may be given.")
    ],
    slots: Annotated[int, typer.Option(help="Of the vector, a power of two.")] = 2**15,
    failure: Annotated[float, typer.Option(help="log2 of the failure probability of a bootstrap, at most.")] = -128,
    levels: Annotated[int, typer.Option(help="That are left between two bootstraps, at least.")] = 1,
    secret: Annotated[str, typer.Option(help="uniform-ternary, or by name only sparse-192.")] = "uniform-ternary",
    log_n: Annotated[int | None, typer.Option(help="log2 of the ring degree; any if not given.")] = None,
    real: Annotated[bool, typer.Option("--real", help="A real vector, with half of EvalMod.")] = False,
    count: Annotated[int, typer.Option(min=1, help="Candidates for each precision.")] = 6,
    plot: Annotated[Path | None, typer.Option(help="A picture of all candidates: .svg, .png or .pdf.")] = None,
    as_json: JsonOption = False,
) -> None:
    """Find bootstraps: the best one for each precision, and candidates beside it.

    All have 128 bits of security. The best takes the least time for each level that it leaves. Time is that of one
    thread of a generic CPU.
    """
    from sluice import bootstrap

    candidates = []
    with progress("searching") as report:
        for done, wanted in enumerate(bits):
            found = bootstrap.search(
                wanted, slots=slots, failure=failure, log_n=log_n, secret=secret, real=real, levels=levels, count=count
            )
            candidates += [_entry(wanted, rank, one) for rank, one in enumerate(found, start=1)]
            report(done + 1, len(bits))
    if plot is not None:
        from sluice.report.candidates import draw_candidates

        draw_candidates(candidates, plot)
    show(as_json, {"candidates": candidates}, _rows(candidates))


def _entry(wanted: float, rank: int, found: Bootstrap) -> dict[str, Any]:
    return {
        "wanted_bits": wanted,
        "rank": rank,
        "bits": found.expected_bits,
        "time_ms": found.expected_ms,
        "levels_left": found.levels_left,
        "log_q_left": found.log_q_left,
        "key_bytes": found.expected_key_bytes,
        "log_n": found.log_n,
        "order": found.order,
        "log_scale": found.log_scale,
        "log_ratio": found.log_ratio,
        "log_qp": found.log_qp,
        "log2_failure": found.log2_failure,
        "range": found.range,
        "degree": found.degree,
        "double_angles": found.double_angles,
        "arcsine_degree": found.arcsine_degree,
        "special_limbs": found.special_limbs,
        "digit_margin": found.digit_margin,
        "level_bits": found.level_bits,
    }


def _rows(candidates: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(f"{one['wanted_bits']:g} bits", _row(one)) for one in candidates]


def _row(one: dict[str, Any]) -> str:
    from sluice.manifest import byte_text

    sizes = one["level_bits"]
    first = ", SlotsToCoeffs first" if one["order"] == "slots_to_coefficients_first" else ""
    arcsine = f", arcsine {one['arcsine_degree']}" if one["arcsine_degree"] > 1 else ""
    return (
        f"{one['rank']}. {one['bits']:.1f} bits, {one['time_ms'] / 1000:.2f} s, {one['levels_left']} levels "
        f"(log Q {one['log_q_left']:.0f}), keys {byte_text(one['key_bytes'])}; scale 2^{one['log_scale']}, ratio "
        f"2^{one['log_ratio']}, degree {one['degree']}, {one['double_angles']} double angles{arcsine}{first}, levels "
        f"{_runs(sizes['slots_to_coefficients'])} | {_runs(sizes['eval_mod'])} | "
        f"{_runs(sizes['coefficients_to_slots'])}, P {one['special_limbs']}, log QP {one['log_qp']:.0f}"
    )


def _runs(sizes: list[float]) -> str:
    """60 60 65 as 2 x 60 + 65."""
    parts = [(len(list(equal)), size) for size, equal in groupby(sizes)]
    return " + ".join(f"{number} x {size:g}" if number > 1 else f"{size:g}" for number, size in parts)
