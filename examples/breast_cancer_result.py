"""The result of examples/breast_cancer.py for people: what it prints, and what the README shows of a recorded run."""

from __future__ import annotations

from typing import Any


def rows(result: dict[str, Any]) -> list[tuple[str, str]]:
    """Pairs (what, value), in the order of a table."""
    security, forecast = result["security"], result["forecast"]["precision_bits"]
    return [
        ("accuracy", ", ".join(f"{name} {100 * value:.2f} %" for name, value in result["accuracy"].items())),
        ("predictions equal to the twin's", "all" if result["identical_predictions"] else "NOT all"),
        (
            "bits against the twin",
            f"{result['bits']:.1f} (standard deviation; forecast {forecast:.1f}), "
            f"{result['worst_slot_bits']:.1f} (worst slot), {result['encryptions']} encryptions with "
            f"{result['encryption_key']}",
        ),
        ("error of the approximations", f"{result['approximation_error']:.1e} at most (twin against clear)"),
        ("time a row", f"{result['ms_per_row_warm']:.2f} ms warm, {result['ms_per_row_cold']:.2f} ms cold"),
        ("backend", result["backend"]),
        ("ring, log QP", f"N = 2^{result['log_n']}, {security['log_qp']:.0f} bits"),
        ("security", f"{security['bits']:g} bits: at most {security['limit']:g} ({security['row']})"),
        ("keys", ", ".join(f"{name} {size_text(size)}" for name, size in result["key_bytes"].items())),
        (
            "peak memory",
            f"server {size_text(result['server_peak_memory_bytes'])}, "
            f"client {size_text(result['client_peak_memory_bytes'])}",
        ),
        (
            "`sluice compile`, fresh process",
            f"{result['compile_process_ms'] / 1000:.2f} s, artifact {size_text(result['artifact_bytes'])}",
        ),
    ]


def size_text(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
