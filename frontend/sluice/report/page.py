"""The sections of the page, made from the manifest, the compiler's report and the text of stages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from html import escape
from typing import Any

from sluice.manifest import Manifest, byte_text

_STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; max-width: 60em; margin: 2em auto; padding: 0 1em; color: #1d2733; }
h1 { font-size: 1.5em } h2 { font-size: 1.1em; margin-top: 2em; border-bottom: 1px solid #ccd; }
table { border-collapse: collapse }
td { padding: .15em 1em .15em 0; vertical-align: top } td:first-child { color: #567 }
.bar { background: #e8ecf2; width: 22em; height: 1em } .bar div { background: #2f7ac0; height: 1em }
.over div { background: #c0392b } td.number { text-align: right; font-variant-numeric: tabular-nums }
pre { background: #f5f7fa; padding: 1em; overflow-x: auto; font-size: 12px }
"""


def render(manifest: Manifest, report: dict[str, Any] | None, stages: dict[str, str]) -> str:
    """The page. `report` is the compiler's report, None for a program that was loaded from its artifact."""
    sections = [_summary(manifest), _security(manifest), _levels(manifest), _keys(manifest)]
    if report is not None:
        sections += [
            *([_candidates(report["candidates"])] if report.get("candidates") else []),
            _counts(
                "Operations of the circuit", "Ciphertext operations of the settled phase.", report, "circuit_operations"
            ),
            _counts("Kernel calls", "Calls of compiled code into the runtime.", report, "kernel_calls"),
            _counts("Compile time", "Milliseconds to reach each phase.", report, "phase_ms"),
        ]
    sections += [_stage(name, text) for name, text in stages.items()]
    title = escape(manifest.name)
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{title} · Sluice</title>'
        f"<style>{_STYLE}</style></head>\n<body><h1>{title}</h1>\n" + "\n".join(sections) + "\n</body></html>\n"
    )


def _section(title: str, lead: str, body: str) -> str:
    return f"<h2>{escape(title)}</h2>\n<p>{escape(lead)}</p>\n{body}"


def _table(rows: Iterable[str]) -> str:
    return "<table>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def _bar(share: float) -> str:
    """A bar filled to `share`; past 1 it is full and red."""
    kind = "bar over" if share > 1 else "bar"
    return f'<td><div class="{kind}"><div style="width:{100 * min(max(share, 0.0), 1.0):.1f}%"></div></div></td>'


def _row(label: str, share: float, number: str) -> str:
    return f'<td>{escape(label)}</td>{_bar(share)}<td class="number">{escape(number)}</td>'


def _summary(manifest: Manifest) -> str:
    rows = (f"<td>{escape(label)}</td><td>{escape(value)}</td>" for label, value in manifest.rows())
    return _table(rows)


def _security(manifest: Manifest) -> str:
    security = manifest.json["security"]
    share = security["log_qp"] / security["limit"] if security["limit"] else 2.0
    return _section(
        "Security",
        "The largest modulus under the secret key, against the limit of the table's row.",
        _table([_row("log QP", share, f"{security['log_qp']:.1f} of {security['limit']:g}")]),
    )


def _levels(manifest: Manifest) -> str:
    limbs = manifest.json["ring"]["limbs"]
    sizes = [sum(math.log2(limbs[i]) for i in level) for level in manifest.json["levels"]]
    top = max(sizes)
    return _section(
        "Levels",
        "Bits of the ciphertext modulus at each level. Inputs enter where they are used; outputs leave at level 0.",
        _table(
            _row(f"level {level}", size / top, f"{size:.1f} bits") for level, size in reversed(list(enumerate(sizes)))
        ),
    )


def _keys(manifest: Manifest) -> str:
    log_n = manifest.json["ring"]["log_n"]
    keys = manifest.json["evaluation_keys"]
    sizes = [(len(key["digits"]) * len(key["limbs"]) * 8) << log_n for key in keys]
    names = [key["kind"] + (f", element {key['element']}" if key["kind"] == "galois" else "") for key in keys]
    return _section(
        "Evaluation keys",
        f"{len(keys)} keys, {byte_text(sum(sizes))} in the file; the server's memory holds twice as much.",
        _table(_row(name, size / max(sizes), byte_text(size)) for name, size in zip(names, sizes)),
    )


def _candidates(found: list[dict[str, Any]]) -> str:
    """The parameters that the compiler looked at; those that were refused have no time."""
    top = max((one["time_ms"] or 0 for one in found), default=0) or 1
    rows = []
    for one in found:
        reason = f"; {one['verdict']}: {one['reason']}" if one.get("reason") else f"; {one['verdict']}"
        label = f"N = 2^{one['log_n']}, {one['parameters']}{reason}"
        time = f"{one['time_ms']:.4g} ms" if one["time_ms"] else "-"
        rows.append(_row(label, (one["time_ms"] or 0) / top, time))
    return _section("Candidates", "Parameters that were looked at, with the time that is forecast.", _table(rows))


def _counts(title: str, lead: str, report: dict[str, Any], field: str) -> str:
    counts: dict[str, float] = report.get(field, {})
    top = max(counts.values(), default=1) or 1
    rows = sorted(counts.items(), key=lambda item: -item[1]) if field != "phase_ms" else counts.items()
    return _section(title, lead, _table(_row(name, count / top, f"{count:.0f}") for name, count in rows))


def _stage(name: str, text: str) -> str:
    body = f"<details><summary>show</summary><pre>{escape(text)}</pre></details>"
    return _section(f"Phase {name}", "The program as the compiler has it in this phase.", body)
