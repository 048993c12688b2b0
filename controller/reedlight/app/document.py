"""The page on configuration: every key of both kinds of file, written from the tables that read them."""

from __future__ import annotations

from collections.abc import Iterator

from reedlight.app import config
from reedlight.board import schema
from reedlight.board.tables import Key, Schema, Table


def page() -> str:
    """CONFIGURATION.md as it should be."""
    return "\n".join(
        (
            "# Configuration",
            "",
            "Written by `make documents` from the tables that read the files; not by hand.",
            "",
            "A board has two files: its *configuration*, what its owner chose (`reedlight config check FILE`), and its",
            "*profile*, how it is built (`reedlight board check FILE`). Both are TOML. A key that is not there has its",
            "default; *needed* means that there is none.",
            "",
            "## The configuration",
            "",
            "```toml",
            config.EXAMPLE.rstrip(),
            "```",
            "",
            *_tables(config.SCHEMA),
            "## A board's profile",
            "",
            "The packaged profiles are commented files to copy: `reedlight board list`, `reedlight board show NAME`.",
            "",
            *_tables(schema.SCHEMA),
        )
    )


def _tables(of: Schema) -> Iterator[str]:
    above = [key for key in of.keys if not key.table]
    if above:
        yield from ("### Above all tables", "", *_keys(above), "")
    for table in of.tables:
        yield from (f"### [{table.name}]", "", _about(table), "")
        yield from (*_keys([key for key in of.keys if key.table == table.name]), "")


def _about(table: Table) -> str:
    meaning = f"{table.meaning[0].upper()}{table.meaning[1:]}."
    return f"{meaning} Needed." if table.needed else meaning


def _keys(keys: list[Key[object]]) -> Iterator[str]:
    yield "| key | what it may be | default | means |"
    yield "| --- | --- | --- | --- |"
    for key in keys:
        goes_with = f" (with {' or '.join(key.goes_with)})" if key.goes_with else ""
        cells = (f"`{key.name}`", key.kind.said, key.default_said, f"{key.meaning}{goes_with}")
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in cells)} |"
