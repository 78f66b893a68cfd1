"""`runtime.js` in a browser: memory, arrays by name, functions called back, mistakes."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from jourdain.program import Draft, Procedure
from jourdain.targets.wasm import write_wasm

from ..animation.browser import Browser, program
from ..program.procedures import everything, given, start
from .running import Page, beside

pytestmark = pytest.mark.skipif(program() is None, reason="Chromium is not installed")
PAGE = """<!doctype html><meta charset="utf-8"><script type="module">
{runtime}
window.load = load;
window.layout = {layout};
window.code = "{code}";
window.ready = load(code, layout).then((x) => (window.program = x, true));
</script>"""


def asks() -> Procedure:
    draft = Draft("asks")
    slots, more = draft.array("slots", 3, given=True), draft.array("more", 2, given=True)
    x, y = draft.array("x", 4), draft.array("y", 2)
    draft.foreign(slots.part(2, 1), x, y, draft.cell("found"))
    draft.copy(more.part(0, 1), y.part(1, 1))
    return draft.done()


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Browser]:
    wasm = write_wasm({"asks": asks(), "everything": everything()})
    runtime = (files("jourdain.targets.wasm") / "runtime.js").read_text(encoding="utf-8")
    text = PAGE.format(
        runtime=runtime, layout=json.dumps(wasm.layout), code=base64.b64encode(wasm.code).decode()
    )
    (tmp_path / "page.html").write_text(text, encoding="utf-8")
    with Browser(tmp_path / "profile") as browser:
        browser.open(tmp_path / "page.html")
        assert browser.run("ready") is True
        yield browser
        assert browser.console == []


def test_a_procedure_gives_the_bits_of_native_code(page: Browser) -> None:
    procedure = everything()
    native, _ = beside(procedure, given(), lambda x: start(x.working if isinstance(x, Page) else x.memory, procedure))
    memory = np.zeros(procedure.size)
    start(memory, procedure)
    arrays = {name: x.ravel().tolist() for name, x in given().items()}
    page.run(f"s = program.session('everything', {json.dumps(arrays)}), s.memory.set({memory.tolist()}), s.run()")
    assert page.run("[...s.array('y')]") == native.array("y").tolist()
    assert page.run("[...s.array('table')]") == native.given["table"].ravel().tolist()
    assert page.run("s.get('total')") == native["total"]


def test_functions_are_called_back(page: Browser) -> None:
    page.run("s = program.session('asks'), s.array('x').set([0.1, 0.2, 0.3, 0.4]), s.run()")
    assert page.run("s.get('found')") == 0.0
    page.run("s.connect('slots', 2, (a, b) => b.set([a[0] + a[3], 7])), s.run()")
    assert page.run("[s.get('found'), ...s.array('y')]") == [1.0, 0.5, 0.0]
    page.run("s.connect('slots', 2, null), s.run()")
    assert page.run("s.get('found')") == 0.0


def test_sessions_share_arrays_by_their_addresses_and_memory_grows(page: Browser) -> None:
    page.run("a = program.session('asks', { more: new Float64Array(1e6).fill(5) })")
    page.run("b = program.session('asks', { more: a.place('more')[0] })")
    page.run("a.array('more')[0] = 6, b.run()")
    assert page.run("b.array('y')[1]") == 6.0
    assert page.run("[a.array('more').length, program.memory.buffer.byteLength > 8e6]") == [1000000, True]


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("program.session('nothing')", "there is no nothing; there are asks, everything"),
        ("program.session('asks', { slots: [1] })", "slots has 1 numbers; at least 3 are needed"),
        ("program.session('asks').array('z')", "there is no array z"),
        ("program.session('asks').get('z')", "there is no cell z"),
        ("program.session('asks').connect('slots', 0, null)", "no statement looks for a function at slots, 0"),
    ],
)
def test_mistakes(page: Browser, code: str, said: str) -> None:
    assert page.run(f"try {{ {code} }} catch (error) {{ error.message }}") == said


def test_a_layout_of_another_kind(page: Browser) -> None:
    said = page.run("load(code, { ...layout, format: 'other' }).catch((error) => error.message)")
    assert said == "the layout is other, not jourdain wasm 1"
