"""A run in a file: columns of numbers over time, and one text in JSON, the facts, that says what they are.

NPZ has an array for each of t, q, u, work, "input …", "output …", "force …", the facts, and a few names and events once
more, for whoever reads it with NumPy alone. Parquet has a column for every coordinate, speed, input and output, and the
facts in its metadata.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .whole_file import whole_file

if TYPE_CHECKING:
    from .change import Change
    from .motion import Motion

Floats = NDArray[np.float64]
FORMAT = "jourdain run 1"
KEY = b"jourdain"  # of the facts among a Parquet file's metadata
INSTALL = "Parquet files need pyarrow: `pip install 'jourdain[parquet]'`, or name a file that ends with .npz"
SUFFIXES = (".npz", ".parquet")


def save(run: Motion, path: str | Path) -> None:
    """Into the format that the name's end says."""
    suffix = Path(path).suffix
    if suffix not in SUFFIXES:
        raise ValueError(
            f"a run is written as NPZ or Parquet, but the file is to be called {str(path)!r}; end it with .npz or "
            ".parquet"
        )
    (_save_npz if suffix == ".npz" else _save_parquet)(run, path)


def facts_of(run: Motion) -> dict[str, Any]:
    """All of a run but its columns, as JSON knows it."""
    events = [
        {"name": x.name, "t": x.t, "direction": x.direction, "q": x.q.tolist(), "u": x.u.tolist()} for x in run.events
    ]
    forces = {name: x.shape[1] for name, x in run.kept_forces.items()}
    return {
        "format": FORMAT, "system": run.name, "method": run.method_name, "status": run.status.name,
        "coordinates": list(run.coordinates), "speeds": list(run.speeds), "inputs": list(run.inputs),
        "outputs": list(run.outputs), "parameters": run.parameters, "modes": [asdict(x) for x in run.modes],
        "counts": run.counts, "seconds": run.seconds, "events": events, "checks": asdict(run.checks),
        "forces": forces, "changes": [_change(x) for x in run.changes],
    }  # fmt: skip


def _change(x: Change) -> dict[str, Any]:
    found = {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in vars(x).items()}
    return {**found, "impulses": {name: value.tolist() for name, value in x.impulses.items()}}


def _save_npz(run: Motion, path: str | Path) -> None:
    arrays: dict[str, Any] = {
        "facts": np.array(json.dumps(facts_of(run))), "t": run.t, "q": run.q, "u": run.u,
        "coordinates": np.array(run.coordinates, dtype=str), "speeds": np.array(run.speeds, dtype=str),
        "system": np.array(run.name), "method": np.array(run.method_name), "status": np.array(run.status.sentence),
        "event_names": np.array([x.name for x in run.events], dtype=str),
        "event_times": np.array([x.t for x in run.events]),
    }  # fmt: skip
    if run.work is not None:
        arrays["work"] = run.work
    arrays |= {f"input {name}": x for name, x in run.inputs.items()}
    arrays |= {f"output {name}": x for name, x in run.outputs.items()}
    arrays |= {f"force {name}": x for name, x in run.kept_forces.items()}
    with whole_file(path) as part, part.open("wb") as file:
        np.savez_compressed(file, **arrays)


def _save_parquet(run: Motion, path: str | Path) -> None:
    try:
        import pyarrow
        from pyarrow import parquet
    except ImportError as error:
        raise ImportError(INSTALL) from error
    columns = {"t": run.t}
    columns |= {f"q.{name}": run.q[:, k] for k, name in enumerate(run.coordinates)}
    columns |= {f"u.{name}": run.u[:, k] for k, name in enumerate(run.speeds)}
    columns |= {f"input.{name}": x for name, x in run.inputs.items()}
    columns |= {f"output.{name}": x for name, x in run.outputs.items()}
    columns |= {f"force.{name}.{k}": column for name, x in run.kept_forces.items() for k, column in enumerate(x.T)}
    if run.work is not None:
        columns["work"] = run.work
    table = pyarrow.table({name: np.ascontiguousarray(x, dtype=np.float64) for name, x in columns.items()})
    table = table.replace_schema_metadata({KEY: json.dumps(facts_of(run)).encode()})
    with whole_file(path) as part:
        parquet.write_table(table, part, write_page_checksum=True)
