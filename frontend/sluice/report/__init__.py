"""A program as one self-contained page of HTML: no script, no file beside it, nothing fetched."""

from sluice.report.page import render

__all__ = ["render"]
