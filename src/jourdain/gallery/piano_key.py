"""A piano's key and its action: contacts that come and go between a finger and a string."""

from __future__ import annotations

from ..model.handles import BodyHandle
from ..model.inertias import about_z
from ..model.model import Model
from ..model.shapes import Capsule, Plane, Sphere
from ..model.symbols import Symbols
from ..model.system import System


def piano_key() -> System:
    """A grand piano's action as four bodies, key, wippen, jack and hammer, after Gillespie (1992, 1996).

    The capstan on the key lifts the wippen; the jack on the wippen pushes the hammer's knuckle, until its toe meets the
    regulating button and turns it out from under the knuckle: let-off. The hammer flies on, strikes the string, falls,
    and is caught by the check on the key, until the key is released. There is no repetition lever: the jack comes back
    under the knuckle when the hammer lies on its rest.

    All lies in the ground's plane x, y, y up; the pianist sits at −x. Coordinates [rad], anticlockwise: key, about
    the origin, pressed where it is positive; wippen, about (x_w, y_w); jack, against the wippen; hammer, about
    (x_h, y_h). At zero all of them are at rest. Input F [N]: a finger, downwards, at l_f from the key's pivot. Output
    `hammer` [m/s]: the velocity of its head, upwards.

    Contacts: "capstan", which is polished, "knuckle" and "button" with the friction of felt; stops "key lower" and "key
    upper", "jack lower", "jack upper", "hammer lower" and "string". The check is of leather and gives: a compliant
    contact. Lengths, masses and friction are representative of a grand action, measured on none in particular.
    """
    m = Model("piano-key")
    p = m.parameters(
        # key: from pivot to finger, capstan (its radius r_c), check
        l_f=0.22, l_c=0.11, h_c=0.025, r_c=0.005, dip=0.0455, x_k=0.2007, m_K=0.15, c_K=-0.008, I_K=0.0022,
        # wippen, heel
        x_w=0.175, y_w=0.045, h_w=0.015, l_j=0.097, m_W=0.018, c_W=-0.055, I_W=2e-5,
        # jack: height, radius of its round top, toe
        h_j=0.05, r_j=0.002, l_t=0.022, r_t=0.002, m_J=0.006, c_J=0.02, I_J=2e-6, k_J=0.02, turn_J=0.25, far_J=0.3,
        # hammer: knuckle, tail, string
        x_h=0.061, y_h=0.1103, l_n=0.017, h_n=0.0097, r_n=0.005, l_h=0.13, h_t=0.01, r_h=0.005, m_H=0.0145, c_H=0.105,
        I_H=2e-5, blow=0.35, d_H=1e-5,
        # button, friction, restitution of the string and of felt
        y_b=0.0542, mu=0.2, mu_k=0.8, k_k=6e3, e_string=0.4, e_felt=0.0, g=9.81,
    )  # fmt: skip
    m.gravity = (0, -p.g, 0)
    finger = m.input("F")
    key = m.body("key", mass=p.m_K, center=(p.c_K, 0, 0), inertia=about_z(p.I_K))
    wippen = m.body("wippen", mass=p.m_W, center=(p.c_W, 0, 0), inertia=about_z(p.I_W))
    jack = m.body("jack", mass=p.m_J, center=(0, p.c_J, 0), inertia=about_z(p.I_J))
    hammer = m.body("hammer", mass=p.m_H, center=(p.c_H, 0, 0), inertia=about_z(p.I_H))
    m.revolute("key", m.ground, key, axis="z")
    m.revolute("wippen", m.ground, wippen, axis="z", at=(p.x_w, p.y_w, 0))
    m.revolute("jack", wippen, jack, axis="z", at=(-p.l_j, 0, 0))
    shank = m.revolute("hammer", m.ground, hammer, axis="z", at=(p.x_h, p.y_h, 0))
    m.joint_spring("jack", stiffness=p.k_J, rest=-p.turn_J)
    m.joint_damper("hammer", damping=p.d_H)
    m.limits("key", lower=0, upper=p.dip, restitution=p.e_felt)
    m.limits("jack", lower=0, upper=p.far_J, restitution=p.e_felt)
    m.limits("hammer", lower=0, restitution=p.e_felt)
    m.stop("string", p.blow - shank.coordinate, restitution=p.e_string)
    _contacts(m, p, key, wippen, jack, hammer)
    tip = key.point("finger", (-p.l_f, 0, 0))
    m.force(-finger * m.ground.y, at=tip)
    m.output("hammer", hammer.point("head", (p.l_h, 0, 0)).velocity @ m.ground.y)
    m.handle(key, at=tip)
    return m.system()


def _contacts(
    m: Model, p: Symbols, key: BodyHandle, wippen: BodyHandle, jack: BodyHandle, hammer: BodyHandle
) -> None:
    """What touches: capstan and heel, jack and knuckle, toe and button, tail and check."""
    capstan = Sphere(p.r_c, center=(p.l_c, p.h_c, 0))
    m.contact("capstan", (key, capstan), (wippen, Plane(normal="-y", height=p.h_w)))
    knuckle = Sphere(p.r_n, center=(p.l_n, -p.h_n, 0))
    post = Capsule(p.r_j, p.h_j - 2 * p.r_j, axis="y", center=(0, p.h_j / 2, 0))
    m.contact("knuckle", (hammer, knuckle), (jack, post), friction=p.mu)
    toe = Sphere(p.r_t, center=(-p.l_t, 0, 0))
    m.contact("button", (jack, toe), Plane(normal="-y", height=-p.y_b), friction=p.mu)
    tail = Sphere(p.r_h, center=(p.l_h, -p.h_t, 0))
    # The tail wedges itself between check and jack: rigid bodies would jam there in more ways than one.
    leather = Plane(normal="-x", height=-p.x_k)
    m.compliant_contact("check", (hammer, tail), (key, leather), stiffness=p.k_k, friction=p.mu_k, exponent=1)
