"""The programs and the table of objects that the documentation prints are those of the package."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sluice as sl

ROOT = Path(__file__).resolve().parents[2]


def first_program(page: str) -> str:
    """The first block of Python on a page."""
    found = re.search(r"^```python\n(.*?)^```", (ROOT / page).read_text(), re.DOTALL | re.MULTILINE)
    assert found is not None
    return found[1]


def test_program_of_the_readme():
    names: dict[str, Any] = {}
    exec(compile(first_program("README.md"), "README.md", "exec"), names)
    assert names["x"].shape == (128, 30)
    np.testing.assert_allclose(names["y"], [names["score"](row) for row in names["x"]], atol=2.0**-13)


def test_program_of_the_python_page(capsys):
    names: dict[str, Any] = {}
    exec(compile(first_program("docs/python.md"), "docs/python.md", "exec"), names)
    assert "128 bits: log QP" in capsys.readouterr().out
    assert abs(names["y"] - names["model"](np.array([0.1, -0.7, 0.4, 0.9]))) < 2.0**-13


def documented_names() -> Iterator[tuple[str, list[str]]]:
    """(dotted name, keywords of its arguments) of every entry in the table of objects."""
    page = (ROOT / "docs/python.md").read_text()
    table = page.split("\n## Objects\n")[1].strip().split("\n\n")[0]
    for row in table.splitlines()[2:]:
        entry, description = row.strip("|").split(" | ", 1)
        owner = re.sub(r"^sl\.", "", re.findall(r"`([\w.]+)", entry)[0])
        for text in [*re.findall(r"`([^`]+)`", entry), *re.findall(r"`(\.[^`]+|sl\.[^`]+)`", description)]:
            if text == ".sluice":  # the extension of a file
                continue
            name, _, arguments = text.partition("(")
            full = f"{owner}{name}" if name.startswith(".") else re.sub(r"^sl\.", "", name)
            yield full, re.findall(r"(\w+)=", arguments)


@pytest.mark.parametrize(("name", "keywords"), list(documented_names()))
def test_table_of_objects(name, keywords):
    found: Any = sl
    for part in name.split("."):
        assert hasattr(found, part), f"docs/python.md names {name}, which the package has not"
        found = getattr(found, part)
    unknown = set(keywords) - set(inspect.signature(found).parameters) if keywords else set()
    assert not unknown, f"docs/python.md: {name} takes no {unknown}"


def test_table_of_objects_is_read():
    names = {name for name, _ in documented_names()}
    assert {"compile", "Program.simulate", "Client.evaluation_keys", "Client.load", "Ciphertext.from_bytes"} <= names
