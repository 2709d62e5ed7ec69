"""The records under bench/results/."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def records(what: str) -> list[Path]:
    """Those of one benchmark, the newest last: names begin with the date."""
    return sorted((ROOT / "bench" / "results").glob(f"*-cpu-{what}.json"))


def newest(what: str) -> tuple[Path, dict[str, Any]]:
    paths = records(what)
    return paths[-1], json.loads(paths[-1].read_text())


def replaced(text: str, marker: str, content: str) -> str:
    """`text` with `content` between the marker's two comments."""
    begin, end = f"<!-- {marker}:begin -->", f"<!-- {marker}:end -->"
    before, rest = text.split(begin)
    return f"{before}{begin}\n{content}\n{end}{rest.split(end)[1]}"
