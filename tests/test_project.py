"""The house itself: who may import whom, what an import costs, what is public, what the README promises."""

from __future__ import annotations

import ast
import inspect
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import jourdain
from jourdain.cli.command import UserMistake
from jourdain.cli.main import parser
from jourdain.published import RECORDS

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "jourdain"
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]

# An arrow reads "may import"; what the imported may import is included.
ARROWS: dict[str, tuple[str, ...]] = {
    "console": (),
    "published": (),
    "graph": (),
    "spatial": ("graph",),
    "model": ("spatial",),
    "equations": ("model",),
    "importers": ("model",),
    "gallery": ("model",),
    "program": ("graph",),
    "targets": ("program",),
    "native": ("targets",),
    "driver": ("equations", "native"),
    "history": ("equations", "gallery"),
    "control": ("driver",),
    "animation": ("reader",),
    "simulation": ("driver", "animation"),
    "demo": ("simulation", "gallery", "console", "published"),
    "bench": ("driver", "gallery", "importers", "console"),
    "reader": ("driver", "console"),
    "exporting": ("simulation",),
    "touch": ("simulation", "control"),
    "cli": ("demo", "bench", "reader", "simulation", "exporting", "touch"),
}
FRONT = ("__init__", "__main__")  # the package's own name list, and the command's door: they see everything
# What takes long to import, or may be missing, is imported where it is used; and who may do so at once.
LATE = {
    "sympy": (), "matplotlib": (), "scipy": (), "mpmath": (), "casadi": (), "mujoco": (), "pinocchio": (),
    "example_robot_data": (), "sksundae": (), "pyarrow": (), "imageio_ffmpeg": (), "PIL": (), "llvmlite": ("targets",),
    "wasmtime": (),
}  # fmt: skip
IMPORT_SECONDS = 0.2
COMMANDS = re.compile(r"```(?:sh|bash|console)\n(.*?)```", re.DOTALL)


@dataclass(frozen=True)
class Import:
    """One import statement: in which module, of what, and whether it runs when the module is loaded."""

    module: str
    line: int
    target: str  # "jourdain.graph.node" or "numpy.linalg"
    at_once: bool

    def __str__(self) -> str:
        return f"{self.module}, line {self.line}, imports {self.target}"


def modules() -> dict[str, Path]:
    """Dotted name without "jourdain." -> file."""
    found = {}
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        package = parts[-1] == "__init__" and len(parts) > 1
        found[".".join(parts[:-1] if package else parts)] = path
    return found


@cache
def imports() -> tuple[Import, ...]:
    return tuple(x for name, path in modules().items() for x in _imports(name, path))


def _imports(name: str, path: Path) -> Iterator[Import]:
    package = ["jourdain", *path.relative_to(SOURCE).parts[:-1]]
    todo: list[tuple[ast.AST, bool]] = [(ast.parse(path.read_text(encoding="utf-8")), True)]
    while todo:
        node, at_once = todo.pop()
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield Import(name, node.lineno, alias.name, at_once)
        elif isinstance(node, ast.ImportFrom):
            outer = package[: len(package) - node.level + 1] if node.level else []
            home = [*outer, *([node.module] if node.module else [])]
            for alias in node.names:
                yield Import(name, node.lineno, ".".join([*home, alias.name]), at_once)
        else:
            later = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
            guarded = isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test)
            todo += [(child, at_once and not later and not guarded) for child in ast.iter_child_nodes(node)]


def part(module: str) -> str:
    """The folder or file at the top that a module belongs to; "jourdain." may stand before it."""
    return module.removeprefix("jourdain").removeprefix(".").split(".")[0]


@cache
def reach(name: str) -> frozenset[str]:
    """What a part may import, itself included."""
    return frozenset({name}).union(*(reach(x) for x in ARROWS[name]))


# -- who imports whom -----------------------------------------------------------------------------------------------


def test_every_part_has_its_arrows() -> None:
    assert {part(name) for name in modules()} - set(FRONT) == set(ARROWS)


@pytest.mark.parametrize("name", ARROWS)
def test_arrows(name: str) -> None:
    own = [x for x in imports() if part(x.module) == name and x.target.split(".")[0] == "jourdain"]
    # `from .. import gallery` is of the gallery; `import jourdain` and its version are of the front.
    wrong = [x for x in own if part(x.target) in ARROWS and part(x.target) not in reach(name)]
    assert not wrong, "\n".join(map(str, wrong))
    through_the_front = [x for x in own if part(x.target) not in ARROWS]
    assert name in ("cli", "bench", "demo") or not through_the_front, "\n".join(map(str, through_the_front))


def test_mechanics_and_compiler_never_meet_below_the_driver() -> None:
    mechanics, compiler = {"spatial", "model", "equations", "importers"}, {"program", "targets", "native"}
    for name in ARROWS:
        if reach(name) & mechanics and reach(name) & compiler:
            assert "driver" in reach(name), name


def test_no_module_imports_itself_in_a_circle() -> None:
    known = modules()
    edges: dict[str, set[str]] = {name: set() for name in known}
    for x in imports():
        if x.at_once and x.target.startswith("jourdain."):
            target = x.target.removeprefix("jourdain.")
            target = target if target in known else target.rpartition(".")[0]
            if target in known and target != x.module:
                edges[x.module].add(target)
    left = dict(edges)
    while left:
        free = [name for name, targets in left.items() if not targets & left.keys()]
        assert free, f"a circle among {sorted(left)}"
        for name in free:
            del left[name]


@pytest.mark.parametrize("package", LATE)
def test_imported_where_it_is_used(package: str) -> None:
    early = [
        x for x in imports() if x.at_once and x.target.split(".")[0] == package and part(x.module) not in LATE[package]
    ]
    assert not early, "\n".join(map(str, early))


# -- what an import costs -------------------------------------------------------------------------------------------


def fresh(code: str) -> str:
    """What a new Python process prints."""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=ROOT)
    return done.stdout


def test_import_loads_nothing_heavy() -> None:
    loaded = fresh("import sys, jourdain; print(*sys.modules)").split()
    assert "jourdain" in loaded
    assert not {*LATE, "numpy"} & set(loaded)


def test_import_is_quick() -> None:
    """The best of five fresh processes; ours is a few milliseconds, so the limit is generous."""
    code = "import time; a = time.perf_counter(); import jourdain; print(time.perf_counter() - a)"
    assert min(float(fresh(code)) for _ in range(5)) < IMPORT_SECONDS


def test_help_loads_nothing_heavy() -> None:
    loaded = fresh("import sys; from jourdain.cli.main import parser; parser(); print(*sys.modules)").split()
    assert not LATE.keys() & set(loaded)


# -- what is public -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", jourdain.__all__)
def test_public_names_are_there_and_documented(name: str) -> None:
    value = getattr(jourdain, name)
    assert inspect.getdoc(value if isinstance(value, ModuleType) or callable(value) else type(value))
    assert name in dir(jourdain)


def test_public_classes_say_what_their_methods_do() -> None:
    classes = [x for x in (getattr(jourdain, name) for name in jourdain.__all__) if isinstance(x, type)]
    silent = [
        f"{owner.__name__}.{name}"
        for owner in classes
        for name, value in inspect.getmembers(owner, _is_written_here)
        if not name.startswith("_") and not inspect.getdoc(value) and "Workshop." not in _qualified(value)
    ]
    assert not silent


def _qualified(value: Any) -> str:
    return str(getattr(value, "__qualname__", ""))


def _is_written_here(value: Any) -> bool:
    if isinstance(value, property):
        return value.fget is not None and value.fget.__module__.startswith("jourdain")
    return inspect.isfunction(value) and value.__module__.startswith("jourdain")


def test_public_names_are_sorted_by_their_homes_once() -> None:
    homes = [name for names in jourdain._HOMES.values() for name in names]
    assert len(homes) == len(set(homes))
    assert set(homes) == set(jourdain.__all__)


def test_a_name_that_is_not_there() -> None:
    with pytest.raises(AttributeError, match=r"jourdain has no 'principle'.*principal"):
        _ = jourdain.principle


def test_version_is_the_projects() -> None:
    assert project()["version"] == jourdain.__version__
    assert f"## [{jourdain.__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_what_is_installed_is_whole() -> None:
    """Everything beside the Python files, in the package as it was installed: type marker, peers' C and C++."""
    installed = Path(inspect.getfile(jourdain)).parent
    beside = {x.relative_to(SOURCE) for x in SOURCE.rglob("*") if x.is_file() and x.suffix not in (".py", ".pyc")}
    assert {Path("py.typed"), Path("bench/native/pinocchio_loop.cpp"), Path("bench/native/casadi_loop.c")} <= beside
    assert not [x for x in beside if not (installed / x).is_file()]


# -- what the pages promise -----------------------------------------------------------------------------------------


@cache
def project() -> dict[str, Any]:
    found: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return found


def shell_commands(page: Path) -> list[list[str]]:
    """Every command of a page's shell blocks, as words; `a && b` is two."""
    found = []
    for block in COMMANDS.findall(page.read_text(encoding="utf-8")):
        for line in block.replace("\\\n", " ").splitlines():
            for words in line.split("&&"):
                command = shlex.split(words, comments=True)
                if command:
                    found.append(command)
    return found


def promised() -> list[list[str]]:
    """Arguments of every `jourdain …` in a shell block or between backticks in the README."""
    found = [x[1:] for page in PAGES for x in shell_commands(page) if Path(x[0]).name == "jourdain"]
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    found += [shlex.split(x) for x in re.findall(r"`jourdain ([^`]+)`", text)]
    return found


@pytest.mark.parametrize("arguments", promised(), ids=" ".join)
def test_promised_commands_are_understood(arguments: list[str]) -> None:
    parser().parse_args(arguments)


def test_a_command_that_is_not_there_is_not_understood() -> None:
    with pytest.raises(UserMistake, match="invalid choice"):
        parser().parse_args(["levitate"])


def test_promised_extras_and_programs_are_there() -> None:
    extras = project()["optional-dependencies"]
    programs = {"python3", "pip", "jourdain", "pytest", "ruff", "mypy", "sphinx-build", "bash"}
    for page in PAGES:
        for command in shell_commands(page):
            assert Path(command[0]).name in programs, command
            for word in command:
                for names in re.findall(r"^\.\[([\w,]+)\]$", word):
                    assert set(names.split(",")) <= extras.keys(), word


def test_readme_sets_everything_up_in_one_line() -> None:
    """One line from nothing to the demo, one to the tests."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    lines = [line for block in COMMANDS.findall(text) for line in block.splitlines()]
    for last in ("jourdain demo", "pytest -n 4"):
        assert [x for x in lines if x.startswith("python3 -m venv .venv && .venv/bin/pip install") and x.endswith(last)]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = re.sub(r"```.*?```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL)
    for target in re.findall(r"\]\(([^)\s]+)\)", text):
        if not target.startswith(("http://", "https://", "#")):
            assert (page.parent / target.split("#")[0]).exists(), target


def test_readmes_model_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """Every Python block of the README, one after the other."""
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), re.DOTALL)
    assert blocks
    names: dict[str, Any] = {}
    for block in blocks:
        exec(compile(block, "README.md", "exec"), names)  # our own text
    assert capsys.readouterr().out


@pytest.mark.parametrize("page", [ROOT / "CONTRIBUTING.md", ROOT / "docs" / "extend.rst"], ids=lambda page: page.name)
def test_files_that_are_named_are_there(page: Path) -> None:
    named = re.findall(r"`((?:[\w.]+/)+[\w.]*)`", page.read_text(encoding="utf-8"))
    assert len(named) > 10
    lost = [x for x in named if not any((folder / x).exists() for folder in (ROOT, SOURCE))]
    assert not lost


def measures() -> list[list[str]]:
    """Rows of the README's tables of measures, as cells."""
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    section = text.split("## What is measured")[1].split("\n## ")[0]
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in section.splitlines() if line[:1] == "|"]
    return [row for row in rows if set(row[0]) != {"-"} and row[-1] != "command"]


def test_every_measure_has_its_command() -> None:
    assert len(measures()) >= 8
    for row in measures():
        assert re.fullmatch(r"`(jourdain|python) [^`]+`", row[-1]), row


@pytest.mark.parametrize("row", [row for row in measures() if "jourdain count" in row[-1]], ids=lambda x: f"{x[-1]}")
def test_operations_in_the_readme_are_what_the_command_counts(row: list[str]) -> None:
    _, evaluation, ours, published, command = row
    model = command.strip("`").split()[-1].replace("-", "_")
    quantity = evaluation.replace(" ", "_")
    counts = jourdain.count(getattr(jourdain.gallery, model)())[quantity]
    assert ours == f"{counts['mul']}/{counts['add']}/{counts['div']}"
    records = [x for x in RECORDS if x.model == model.replace("_", "-") and x.quantity == quantity]
    for figure in re.findall(r"(\d+)/(\d+)", published):
        assert figure in [(str(x.mul), str(x.add)) for x in records]
