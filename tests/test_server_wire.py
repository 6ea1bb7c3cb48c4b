"""What the server says is what the page reads: wire.py and wire.ts have the same names and fields."""

import re
import typing
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel

import sevenfold as sf
from sevenfold.server import wire
from sevenfold.server.session import Session
from sevenfold.server.variations import Variations

SOURCE = (Path(__file__).parent.parent / "web" / "src" / "wire.ts").read_text(encoding="utf-8")
NOT_INTERFACES = {"In", "Out", "NewSeat", "ReviewSeat", "RunRating", "RunProgress"}
"""Written in place in wire.ts."""


def interfaces() -> dict[str, dict[str, bool]]:
    """The fields of every interface of wire.ts, and whether each may be missing."""
    source = re.sub(r"/\*.*?\*/|//[^\n]*", "", SOURCE, flags=re.DOTALL)
    out: dict[str, dict[str, bool]] = {}
    for name, base, body in re.findall(r"export interface (\w+)(?: extends (\w+))? \{\n(.*?)\n\}", source, re.DOTALL):
        fields = re.findall(r'^  "?([\w-]+)"?(\??):', body, re.MULTILINE)
        out[name] = dict(out[base]) if base else {}
        out[name] |= {field: mark == "?" for field, mark in fields}
    return out


def models() -> dict[str, type[BaseModel]]:
    found = {name: one for name, one in vars(wire).items() if isinstance(one, type) and issubclass(one, BaseModel)}
    return {
        name: one
        for name, one in found.items()
        if one.__module__ == wire.__name__ and name not in NOT_INTERFACES and not name.startswith("Ask")
    }


def test_both_sides_know_the_same_things() -> None:
    assert set(interfaces()) == set(models()) | set()


@pytest.mark.parametrize("name", sorted(interfaces()))
def test_both_sides_write_a_thing_with_the_same_fields(name: str) -> None:
    fields = models()[name].model_fields
    written = {field.serialization_alias or key: field for key, field in fields.items()}
    assert set(written) == set(interfaces()[name])
    for key, field in written.items():
        assert field.is_required() is not interfaces()[name][key], key


def test_both_sides_know_the_same_questions() -> None:
    (block,) = re.findall(r"export type Ask =(.*?);\n\n", SOURCE, re.DOTALL)
    there: dict[str, dict[str, bool]] = {}
    for line in re.findall(r"\{ (type: .*?) \}", block):
        fields = re.findall(r"(\w+)(\??): ", line)
        there[re.findall(r'type: "(\w+)"', line)[0]] = {key: mark == "?" for key, mark in fields}
    here: dict[str, dict[str, bool]] = {}
    union: Any = typing.get_args(typing.get_args(wire.Ask)[0])
    for model in union:
        kinds = typing.get_args(model.model_fields["type"].annotation)
        assert typing.get_origin(model.model_fields["type"].annotation) is Literal
        for kind in kinds:
            here[kind] = {key: not field.is_required() for key, field in model.model_fields.items()}
    assert here == there


def test_a_text_in_two_languages_is_written_as_the_page_reads_it() -> None:
    assert wire.Words(en="red", zh_tw="紅").model_dump() == {"en": "red", "zh-TW": "紅"}


def test_a_node_is_made_again_only_where_something_about_it_has_changed() -> None:
    tree = Variations(sf.game("tic_tac_toe"), 0, None)
    for node, action in enumerate((4, 0, 8)):
        tree.play(node, action)
    person = wire.Seat(kind="human", player=None, level=None, name="Player")
    session = Session(tree, [person, person], at=3, leaf=3)
    before = session.nodes()
    session.think_of(1, [0.5, -0.5])
    tree.moves[2].mark = "slack"
    after = session.nodes()
    assert [one is other for one, other in zip(before, after, strict=True)] == [True, False, False, True]
    assert after[1].values == [0.5, -0.5]
    assert after[2].mark == "slack"
