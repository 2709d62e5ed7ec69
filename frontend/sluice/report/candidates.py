"""A picture of bootstraps to choose from."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sluice.errors import InvalidArgumentError

_FORMATS = (".svg", ".png", ".pdf")


def draw_candidates(candidates: list[dict[str, Any]], path: Path) -> None:
    """Time against precision, log Q left as colour, of entries as `sluice params --json` has them; best ones ringed."""
    if path.suffix not in _FORMATS:
        raise InvalidArgumentError(f"{path}: pictures are written as {', '.join(_FORMATS)}")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    bits = [one["bits"] for one in candidates]
    seconds = [one["time_ms"] / 1000 for one in candidates]
    dots = axes.scatter(bits, seconds, c=[one["log_q_left"] for one in candidates], cmap="viridis", s=36)
    best = [one for one in candidates if one["rank"] == 1]
    axes.scatter(
        [one["bits"] for one in best],
        [one["time_ms"] / 1000 for one in best],
        s=120,
        facecolors="none",
        edgecolors="black",
        label="least time for each level left",
    )
    axes.set_xlabel("bits of precision (-log2 of the standard deviation)")
    axes.set_ylabel("seconds, one thread of a generic CPU")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.legend()
    figure.colorbar(dots, label="log2 Q left between two bootstraps")
    figure.savefig(path)
