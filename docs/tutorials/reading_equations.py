"""
Reading equations
=================

The equations that are compiled can be read: as Kane and Levinson print theirs, with named intermediate quantities.
"""

import jourdain as jd
from jourdain.reader import derive

# %%
# On the command line, `jourdain derive pendulum` prints a mechanism and its equations; `--latex` prints them for a
# document, `--html FILE` writes a page. In Python the same is an object that prints as text, has `latex()` and
# `html()`, and shows itself in a notebook, as here:

derive(jd.gallery.pendulum())

# %%
# Expressions by themselves
# -------------------------
#
# `Mechanics` holds a system's equations as expressions, and `listing` sets expressions out.

from jourdain.equations.mechanics import Mechanics
from jourdain.graph.listing import listing

pendulum = jd.gallery.double_pendulum()
equations = Mechanics(pendulum)
print(listing({"h": equations.bias_forces()}))

# %%
# Three groups: what depends on parameters alone and is computed once (P); what is used more than once, or would make a
# line too long (Z); and the results. A speed is written with `dot` where a coordinate has the same name.
#
# The same as LaTeX; in a notebook a listing shows as mathematics by itself:

print(listing({"M": [x for row in equations.mass_matrix() for x in row]}).latex())

# %%
# An expression is a node of a graph in which equal expressions are the same node, so it can be compared by identity,
# and a part of it is found wherever it is used. It prints as text:

(m11, m12), (m21, m22) = equations.mass_matrix()
assert m12 is m21
m22

# %%
# Expressions have exact derivatives and counts, and can be evaluated without being compiled: the interpreter is what
# all compiled code is tested against.

from jourdain.graph import Role, count, interpret
from jourdain.graph.differentiate import jvp

elbow = equations.q[1]
slope = jvp([m11], {elbow: 1.0})
print(listing({"dM11": slope}))
print(count(slope))

values = {equations.graph.symbol(name, Role.PARAMETER): x for name, x in pendulum.parameters.items()}
print(float(interpret([m11], {**values, elbow: 0.5})[0]))

# %%
# What is compiled
# ----------------
#
# `Mechanics` writes each read-out in one formulation; the compiler tries several and takes common factors out as well.
# `derivation` gives the expressions that are compiled, the formulation that was kept, and all that were tried:

from jourdain.driver.counting import derivation

kept = derivation(pendulum, "inverse_dynamics")
print(kept.formulation)
print(listing({"f": kept.outputs}))

# %%
# A system's own text
# -------------------
#
# A system prints as its tree, with all that acts on it; in a notebook it shows its equations as well:

print(jd.gallery.stanford_arm())
