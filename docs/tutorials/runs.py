"""
Runs
====

A run is kept in a file and read back, looked at as a film, asked for its forces, and, if it is long, stopped and gone
on with to the same bits.
"""

import tempfile
from pathlib import Path

import numpy as np

import jourdain as jd

folder = Path(tempfile.mkdtemp())
four_bar = jd.compile(jd.gallery.four_bar())
q = four_bar.assemble([0.5, -0.2, 1.0])
u = four_bar.complete(q, [5.0], four_bar.independent(q))
run = jd.simulate(four_bar, q, u, 4.0, events={"crank level": "sin(q1)"})
run

# %%
# What happened is a table, and lines in the plot of all coordinates and speeds. `plot` answers a figure of
# matplotlib's, and writes it where a file is named.
from matplotlib import pyplot

print(run.events_table)
run.plot(folder / "run.png")
figure, axes = pyplot.subplots(figsize=(8, 9))
axes.imshow(pyplot.imread(folder / "run.png"))
axes.axis("off")
figure.tight_layout()

# %%
# The forces of constraint are there at every row, by name: here what the pin that closes the loop carries.
{name: np.abs(force).max(axis=0) for name, force in run.forces.items()}

# %%
# Files
# -----
#
# `save` writes NPZ, or Parquet with a column for every coordinate, speed, input and output. The file comes into its
# place when it is complete, so that what is there is always whole.
run.save(folder / "run.npz")
again = jd.load_run(folder / "run.npz")
again, again.checks.drift

# %%
# Times, states, events, inputs, outputs and checks are read without the system. With it, what depends on equations is
# computed anew, in the parameters and the mode of the run. Files may come from anybody: nothing in them is executed,
# and what does not fit together is said.
with_system = jd.load_run(folder / "run.npz", system=jd.gallery.four_bar())
assert np.array_equal(with_system.forces["pin"], run.forces["pin"])
try:
    jd.load_run(folder / "run.npz", system=jd.gallery.pendulum())
except ValueError as error:
    print(str(error).replace(str(folder), "…"))

# %%
# Moving pictures
# ---------------
#
# An HTML page plays the mechanism in any browser, without any network: play and pause, a slider with the events marked
# on it, one frame at a time by the arrows, and what moves in space is turned with the mouse. GIF and MP4 are films.
# Between rows the motion follows cubics whose slopes are the equations' own, put on the constraints.
from PIL import Image

run.animate(folder / "four-bar.html", trail="coupler")
run.animate(folder / "four-bar.gif", fps=10, speed=0.5, size=(360, 260))
figure, axes = pyplot.subplots(1, 3, figsize=(9, 2.4))
with Image.open(folder / "four-bar.gif") as film:
    for panel, frame in zip(axes, (4, 8, 12)):
        film.seek(frame)
        panel.imshow(film.convert("RGB"))
        panel.axis("off")
figure.tight_layout()

# %%
# Long runs
# ---------
#
# `progress=True` tells how far a run is. With `checkpoint`, the integrator's whole memory is written to a file from
# time to time, and at Ctrl-C; `resume` goes on from it, in this process or in another after this one was killed.
# Here a run is interrupted as by Ctrl-C.
pendulum = jd.gallery.double_pendulum()


def interrupt(share: float) -> None:
    """What Ctrl-C does."""
    raise KeyboardInterrupt


part = jd.simulate(pendulum, [2.0, 1.0], [0, 0], 500.0, progress=interrupt, checkpoint=folder / "kept.npz")
print(part)

# %%
# What goes on comes to the same bits as what was never interrupted, even where the motion is chaotic.
resumed = jd.resume(folder / "kept.npz", pendulum)
whole = jd.simulate(pendulum, [2.0, 1.0], [0, 0], 500.0)
assert resumed.q.tobytes() == whole.q.tobytes()
resumed

# %%
# The command does the same: `jourdain simulate double-pendulum --time 1e5 --checkpoint kept.npz`, Ctrl-C, and later
# `jourdain simulate double-pendulum --resume kept.npz --save run.npz`. A checkpoint of another system is refused, and
# so is one of another processor, where the last bits could differ, unless `bits_may_differ=True` is said.
for path in folder.iterdir():
    path.unlink()
folder.rmdir()
