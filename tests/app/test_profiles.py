"""Profiles by name and by file: which one is meant, and what is said of one that cannot be had."""

from __future__ import annotations

from pathlib import Path

import pytest

from reedlight.app.profiles import LARGEST_FILE, profile, text_of
from reedlight.board.profile import ConfigError
from reedlight.board.toml import packaged, packaged_text


@pytest.mark.parametrize("name", packaged())
def test_a_packaged_board_is_found_by_its_name(name: str) -> None:
    assert profile(name).name == name


def test_a_name_means_the_packaged_board_even_where_a_file_lies_beside(tmp_path: Path) -> None:
    (tmp_path / "oak-8x8").write_text("nonsense")
    assert profile("oak-8x8", tmp_path).name == "oak-8x8"


def test_a_file_is_looked_for_beside_another(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(packaged_text("hex-61"))
    assert profile("mine.toml", tmp_path).name == "hex-61"


def test_without_another_a_file_is_looked_for_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "mine.toml").write_text(packaged_text("hex-61"))
    monkeypatch.chdir(tmp_path)
    assert profile("mine.toml").name == "hex-61"


def test_a_name_that_is_neither_is_told_what_there_is() -> None:
    with pytest.raises(ConfigError, match=r"there is no board 'oak'; there are budget-8x8, .*, or name a file"):
        profile("oak")


def test_a_file_that_is_not_there_is_named_with_its_folder(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=rf"{tmp_path}/mine\.toml: cannot be read"):
        profile("mine.toml", tmp_path)


def test_a_mistake_is_told_under_the_name_that_was_given(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text("")
    with pytest.raises(ConfigError, match=r"^mine\.toml: "):
        profile("mine.toml", tmp_path)


def test_a_file_may_be_as_large_as_it_may_be_and_no_larger(tmp_path: Path) -> None:
    file = tmp_path / "large.toml"
    file.write_bytes(b"#" * LARGEST_FILE)
    assert len(text_of(file)) == LARGEST_FILE
    file.write_bytes(b"#" * (LARGEST_FILE + 1))
    with pytest.raises(ConfigError, match=r"large\.toml: has more than 256 kilobytes and is no such file"):
        text_of(file)
