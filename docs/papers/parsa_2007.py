r"""
Parsa 2007
==========

K. Parsa, *The Lagrangian derivation of Kane's equations*, 2007: Lagrange's equations worked out body by body, with the
angular velocity along the body's own axes and the mass centre's velocity along the ground's, come out as Kane's. Every
statement here is also a test (`pytest tests/papers/test_parsa.py tests/equations`).
"""

from typing import Any

import numpy as np

import jourdain as jd
from jourdain.equations.parsa import Parsa
from jourdain.equations.values import values
from jourdain.equations.velocities import by_rates, by_speeds

# %%
# Body Jacobians
# --------------
#
# Of each body: :math:`J_i` with :math:`(\omega_i, v_i) = J_i \dot q` (21), :math:`M_i = \mathrm{diag}(I_i, m_i 1)`,
# which is constant in these axes (26), and :math:`W_i = \mathrm{diag}([\omega_i \times], 0)` (30). An arm on a turning
# post whose wrist keeps three angles:

m = jd.Model("arm")
post = m.body("post", mass=2.0, center=(0, 0, 0.3), inertia=jd.principal(0.2, 0.2, 0.1))
arm = m.body("arm", mass=1.0, center=(0.3, 0, 0), inertia=jd.principal(0.01, 0.04, 0.05))
hand = m.body("hand", mass=0.5, center=(0.1, 0.02, 0), inertia=jd.principal(0.003, 0.004, 0.005))
m.revolute("turn", m.ground, post, axis="z")
m.revolute("lift", post, arm, axis="y", at=(0, 0, 0.6))
m.spherical("wrist", arm, hand, at=(0.6, 0, 0), orientation=jd.ANGLES)
system = m.system()

parsa = Parsa(system)  # in the rates of the coordinates, as in the paper
mechanics = parsa.mechanics
q, qdot, qddot = np.random.default_rng(7).uniform(-1, 1, (3, 5))
moving = dict(zip((*parsa.variables, *parsa.rates), (*qdot, *qddot)))


def at(found: Any) -> Any:
    """The numbers of expressions at this position and motion."""
    return values(mechanics, found, q, others=moving)


print([x.name for x in parsa.variables])
print(at(parsa.jacobian("hand")))
print(at(parsa.velocity_dyad("hand"))[:3, :3])

# %%
# Between the brackets of (36) stand Newton's and Euler's equations (37), :math:`I \dot\omega + \omega \times I \omega`
# and :math:`m \dot v`. Projected, :math:`\sum J_i^T [\ldots] = \sum J_i^T w_i`, they are the recursion's:

print(at(parsa.inertia_wrench("hand")))
u, udot = (at(list(x)) for x in (parsa.velocities.speeds, parsa.velocities.rate(parsa.velocities.speeds)))
recursion = values(mechanics, mechanics.inverse_dynamics(), q, u, udot)
on_rates = at(parsa.course.inverse_kinematic_matrix).T @ recursion  # forces on q̇ from forces on the joints' speeds
assert np.allclose(at(parsa.equations()), on_rates, rtol=0, atol=1e-12)

# %%
# Loads
# -----
#
# A wrench on a body brings :math:`J_i^T w_i` (33), a damper at a joint :math:`-c\,\dot q`; gravity
# :math:`\sum m_i J_{v,i}^T g` (31, 32), which a base that accelerates at :math:`-g` would ask for as well. A push of
# 3 N along the ground's y at the hand's mass centre, 0.2 N m along its own axis, and a damper at the post:

m = jd.Model.of(system)
m.force(m.ground.vector((0, 3, 0)), at=m["hand"].center)
m.torque(m["hand"].vector((0.2, 0, 0)), on=m["hand"])
m.joint_damper("turn", damping=0.7)
pushed = Parsa(m.system())
felt = values(pushed.mechanics, pushed.applied_forces(), q, u)
print(felt)
by_33 = at(parsa.jacobian("hand")).T @ [0.2, 0, 0, 0, 3, 0] - 0.7 * np.array([qdot[0], 0, 0, 0, 0])
assert np.allclose(felt, by_33, rtol=0, atol=1e-14)

m = jd.Model("arm on a rising base", gravity=(0, 0, 0))
base = m.link("base")
m.prismatic("rise", m.ground, base, axis="z")
m.prescribe("rise", 9.81 / 2 * m.time**2)
m.place(system, on=base)
rising = jd.compile(m.system())
print(rising.inverse_dynamics(q, u, udot, t=0.7))
assert np.allclose(rising.inverse_dynamics(q, u, udot, t=0.7), recursion, rtol=0, atol=1e-12)

# %%
# The matrix of velocity terms
# ----------------------------
#
# :math:`C = \sum J_i^T (M_i \dot J_i + W_i M_i J_i + M_i W_i J_i)` (40) has :math:`C \dot q = h`, and
# :math:`\dot M - 2 C` is skew-symmetric.

C = at(parsa.coriolis_matrix())
flat = parsa.velocities.rate([x for row in parsa.mass_matrix() for x in row])
skew = at(flat).reshape(5, 5) - 2 * C
print(np.abs(C @ qdot - at(parsa.velocity_terms())).max(), np.abs(skew + skew.T).max())
assert np.allclose(C @ qdot, at(parsa.velocity_terms()), rtol=0, atol=1e-13)
assert np.allclose(skew, -skew.T, rtol=0, atol=1e-13)

# %%
# In the joints' own speeds the same sums are what `Compiled.mass_matrix` and `Compiled.coriolis_matrix` answer, there
# by composite bodies; and :math:`J_i` is what the paper calls :math:`T_i` (48), Kane's partial velocities.

kane = Parsa(system, by_speeds)
ours = values(kane.mechanics, kane.coriolis_matrix(), q, u)
assert np.allclose(ours, jd.compile(system).coriolis_matrix(q, u), rtol=0, atol=1e-13)

# %%
# The change of an angular velocity
# ---------------------------------
#
# Theorem 1: along the body's axes :math:`\partial\omega/\partial q = \dot J_\omega + [\omega\times] J_\omega`; along
# the ground's, corollary 1, with a minus sign.

from jourdain.graph.differentiate import jacobian

velocity = parsa.velocity("hand")
in_ground = list(velocity.rotation @ velocity.angular)
for name, omega, change in (
    ("body's axes", list(velocity.angular), parsa.change_of_angular_velocity("hand")),
    ("ground's axes", in_ground, parsa.change_of_angular_velocity_in_ground("hand")),
):
    slope = at(jacobian(omega, parsa.course.q))
    print(f"{name:14} {np.abs(slope - at(change)).max():.0e}")
    assert np.allclose(slope, at(change), rtol=0, atol=1e-13)

# %%
# Theorem 2 is for coordinates that depend on each other: it holds times any change that they can make. The four
# components of a quaternion are such coordinates, :math:`V` (the joint's :math:`\Gamma`) what they can do:

m = jd.Model("ball")
m.spherical("socket", m.ground, m.body("ball", mass=1.0, center=(0, 0, 0.2), inertia=jd.principal(0.1, 0.2, 0.25)))
ball = Parsa(m.system(), by_rates)
eta, w = np.array([0.1, 0.5, -0.5, 0.7]), np.array([0.4, -0.8, 0.3])
V = values(ball.mechanics, ball.course.kinematic_matrix, eta)
spinning = dict(zip(ball.variables, V @ w))
slope = values(ball.mechanics, jacobian(list(ball.velocity("ball").angular), ball.course.q), eta, others=spinning)
stated = values(ball.mechanics, ball.change_of_angular_velocity("ball"), eta, others=spinning)
print("of the components   ", np.abs(slope - stated).max())
print("of what they can do ", np.abs((slope - stated) @ V).max())
assert np.abs(slope - stated).max() > 0.1
assert np.allclose(slope @ V, stated @ V, rtol=0, atol=1e-14)

# %%
# Constraints
# -----------
#
# Rows :math:`A \dot q = b` (9) leave :math:`\dot q = B u + d` with :math:`A B = 0` and :math:`A d = b` (12, 13). The
# equations are the tree's, projected; body by body, with :math:`T_i = J_i B`, they are Kane's (50). A sleigh on a blade
# (Chaplygin) goes along its own axis only:

from jourdain.equations.pfaffian import Constrained, Pfaffian, Projection
from jourdain.graph import cos, sin

m = jd.Model("sleigh", gravity=(0, 0, 0))
p = m.parameters(m=2.0, I=0.3, a=0.4)
sleigh = m.body("sleigh", mass=p.m, center=(p.a, 0, 0), inertia=jd.about_z(p.I))
m.planar("slide", m.ground, sleigh)
free = Parsa(m.system())
angle, zero, one = free.course.q[2], free.graph.zero, free.graph.one
blade = Pfaffian([[-sin(angle), cos(angle), zero]], [zero])
along = Projection([[cos(angle), zero], [sin(angle), zero], [zero, one]], [zero] * 3)
bound = Constrained(free, along, ["u", "omega"])
print("A B =", blade.violation(along)[0])
print("T =")
for row in bound.partial_velocities("sleigh"):
    print("   ", row)

# %%
# Its equations are :math:`\dot u = a \omega^2` and :math:`(I + m a^2) \dot\omega = -m a u \omega`:

speed, turning = 0.7, -0.9
rates = (0.4 * turning**2, -2.0 * 0.4 * speed * turning / (0.3 + 2.0 * 0.4**2))
state = dict(zip((*bound.u, *bound.udot), (speed, turning, *rates)))
left = values(free.mechanics, bound.equations(), [0.1, 0.2, 0.7], others=state)
print(left)
assert np.abs(left).max() < 1e-15

# %%
# `Pfaffian.embedded` solves for :math:`B` and :math:`d` by choosing which rates are independent.

print(blade.embedded([0, 2]).matrix)

# %%
# Gravity that varies
# -------------------
#
# Uniform gravity is an acceleration of the base (after 32). In orbit it differs from body to body, and turns a body
# that is large: :math:`-\mu m\,\hat r / r^2` and :math:`3 \mu / r^3\ \hat r \times I \hat r`, loads for a model.

from jourdain.model.gravitation import attraction, gravity_gradient_torque

m = jd.Model("satellite", gravity=(0, 0, 0))
mu = m.parameter("mu", 3.986004418e14)
craft = m.body("craft", mass=500.0, inertia=jd.principal(900.0, 850.0, 120.0))
m.free("flight", m.ground, craft)
m.force(attraction(craft, m.ground.origin, mu), at=craft.center)
m.torque(gravity_gradient_torque(craft, m.ground.origin, mu), on=craft)
orbit = jd.compile(m.system())
tilted = [0, 0, 6.9e6, np.sin(0.05), 0, 0, np.cos(0.05)]  # 0.1 rad about x
accelerations = orbit.forward_dynamics(tilted, np.zeros(6))
print("turned back at", accelerations[:3], "rad/s²; falling at", np.linalg.norm(accelerations[3:]), "m/s²")
assert np.isclose(accelerations[0], -3 * 3.986004418e14 / 6.9e6**3 * (850 - 120) / 900 * np.sin(0.1) * np.cos(0.1))

# %%
# Quaternions
# -----------
#
# Appendix B writes two compositions, :math:`\eta_1 \circledast \eta_2 = \eta_2 \otimes \eta_1`, for the turn
# :math:`Q_1 Q_2`; vector first, scalar last. In `jourdain.spatial.quaternion` they are `then` and `after`, their
# matrices `then_matrix` and `after_matrix` (B-10). Its identities (B-9) to (B-19) are tests, with two conditions below;
# some of them, at two unit quaternions:

from jourdain.graph import Graph, Node, interpret
from jourdain.spatial import Vector
from jourdain.spatial.quaternion import Quaternion

graph = Graph()
eta_1, eta_2 = (
    Quaternion.of(graph, np.array(x) / np.linalg.norm(x)) for x in ((1.0, 2.0, -1.0, 3.0), (-2.0, 1.0, 1.0, 1.0))
)


def numbers(found: Any) -> Any:
    """A quaternion's or a matrix's."""
    return np.array([interpret([x] if isinstance(x, Node) else list(x), {}) for x in found], float).squeeze()


both = numbers(eta_1.then(eta_2))
spin = Vector.of(graph, [0.4, -0.8, 0.3])
then, after = numbers(eta_1.then_matrix()), numbers(eta_2.after_matrix())
identities = {
    "B-9, compositions": (numbers(eta_2.after(eta_1)), both),
    "B-9, turns": (numbers(eta_1.then(eta_2).rotation()), numbers(eta_1.rotation()) @ numbers(eta_2.rotation())),
    "B-10, [η₁ ⊛] η₂": (then @ numbers(eta_2), both),
    "B-10, [η₂ ⊗] η₁": (after @ numbers(eta_1), both),
    "B-11, associative": (then @ after, after @ then),
    "B-18 and B-19": (numbers(eta_1.angular_velocity(eta_1.rate(spin))), numbers(spin)),
    "B-13, conjugate": (numbers(eta_1.then(eta_1.conjugate)), np.array([0, 0, 0, 1])),
}
for name, (one_side, other_side) in identities.items():
    print(f"{name:19} {np.abs(one_side - other_side).max():.0e}")
    assert np.allclose(one_side, other_side, rtol=0, atol=1e-15)

# %%
# Errata
# ------
#
# .. list-table::
#    :header-rows: 1
#    :widths: 12 30 30 28
#
#    * - where
#      - as printed
#      - as it must be
#      - how we know
#    * - after (12)
#      - the rows of B are partial velocities
#      - its columns
#      - :math:`B = \partial \dot q / \partial u`
#    * - (45)
#      - :math:`(\partial\dot q/\partial u)^T (\partial\omega/\partial q)`, and so on the right
#      - :math:`(\partial\omega/\partial q)(\partial\dot q/\partial u)`
#      - the printed factors do not fit (m×n and 3×n); theorem 2
#    * - (A-7)
#      - :math:`J_\omega + [\omega\times] J_\omega`
#      - :math:`\dot J_\omega + [\omega\times] J_\omega`
#      - (44) and the proof's last line; numbers
#    * - (22), (B-17)
#      - "independent" coordinates
#      - is a condition
#      - both fail for the four components of a quaternion, one by one, and hold along what these can do
#    * - (B-13)
#      - of any quaternion
#      - of unit quaternions
#      - :math:`\eta \circledast \eta^* = (0, 0, 0, \eta \cdot \eta)`
#    * - (40)
#      - :math:`C \dot q = h`
#      - where all joints are free
#      - the paper assumes it (scleronomic, before 21); a joint that moves as given adds to :math:`h`
