"""Quoting: what a person or a file wrote, repeated in a sentence that says what is wrong with it.

A sentence stays one that can be read, however long the text is that it is about. This module does not know
what the text should have been.
"""

from __future__ import annotations

LONGEST = 60
"""Characters of a text that are repeated; a longer one is cut and ends in three dots."""


def quoted(text: str) -> str:
    """The text in quotes, its control characters escaped, cut where it is long."""
    return repr(shortened(text))


def shortened(text: str, longest: int = LONGEST) -> str:
    """The text, cut where it is long."""
    return text if len(text) <= longest else f"{text[: longest - 3]}..."
