"""The page on configuration: it is complete, and as new as the tables that it is written from."""

from __future__ import annotations

from pathlib import Path

import pytest

from reedlight.app import config, document
from reedlight.board import schema
from reedlight.board.tables import Key

PAGE = Path(__file__).resolve().parents[2] / "controller" / "CONFIGURATION.md"
KEYS = [*config.SCHEMA.keys, *schema.SCHEMA.keys]


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == document.page(), "make documents"


@pytest.mark.parametrize("key", KEYS, ids=[f"{number}-{key.path}" for number, key in enumerate(KEYS)])
def test_every_key_has_a_row_that_says_what_it_may_be_its_default_and_its_meaning(key: Key[object]) -> None:
    rows = [row for row in document.page().splitlines() if row.startswith(f"| `{key.name}` | ")]
    assert any(f" | {key.default_said} | {key.meaning}" in row for row in rows), rows


def test_every_row_has_the_four_columns_that_its_head_has() -> None:
    rows = [row for row in document.page().splitlines() if row.startswith("|")]
    assert {row.replace(r"\|", "").count("|") for row in rows} == {5}


def test_every_table_has_a_heading_with_what_it_is_about() -> None:
    lines = document.page().splitlines()
    for table in (*config.SCHEMA.tables, *schema.SCHEMA.tables):
        headings = [number for number, line in enumerate(lines) if line == f"### [{table.name}]"]
        assert any(lines[at + 2].lower().startswith(table.meaning.lower()) for at in headings), table


def test_what_is_needed_is_called_so() -> None:
    text = document.page()
    assert "### [board]\n\nWhich board it is, and how bright. Needed.\n" in text
    assert "### [game]\n\nWhat is played first.\n" in text


def test_a_key_that_goes_with_a_choice_says_with_which() -> None:
    with_choices = next(key for key in schema.SCHEMA.keys if key.goes_with)
    assert f"{with_choices.meaning} (with {' or '.join(with_choices.goes_with)})" in document.page()


def test_the_example_stands_in_the_page_as_it_is() -> None:
    assert f"```toml\n{config.EXAMPLE}```\n" in document.page()
