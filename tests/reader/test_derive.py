"""The equations as they are shown: short where they are short, right everywhere, safe to open."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ElementTree
from collections.abc import Callable

import numpy as np
import pytest

import jourdain as jd
from jourdain.model.system import System
from jourdain.reader import EquationsOfMotion, derive
from jourdain.reader.sections import SECTIONS

from .systems import constrained, four_bar
from .told import formulas

GALLERY: dict[str, Callable[[], System]] = {name: getattr(jd.gallery, name) for name in jd.gallery.__all__}


def everything() -> System:
    """Names that must be escaped everywhere, all sorts of loads, a joint of each kind that the gallery lacks."""
    m = jd.Model("a<b>&c_{$%#}")
    p = m.parameters(k=3.0, M=1.0, c_1=2.0, lambda_x=0.5)
    force, _ = m.inputs("F&<F>", "T")
    cart = m.body("s<script>alert(1)</script>", mass=1.1, center=(0.1, 0, 0.2), inertia=jd.principal(0.1, 0.2, 0.15))
    arm = m.body("b & co_{2}^~", mass=p.M, center=(0, 0, -0.3), inertia=jd.principal(0.1, 0.2, 0.15))
    ball = m.body("ball", mass=1 / 3, center=(0, 0.1, -0.3), inertia=jd.tensor([0.3, 0.3, 0.3, 0.01, 0.02, 0.03]))
    flyer = m.body("flyer", mass=2.0, inertia=jd.solid_sphere(0.1))
    bolt = m.body("bolt", mass=0.1, inertia=jd.solid_sphere(0.1))
    m.prismatic("slide", m.ground, cart, axis="x")
    m.revolute("turn <i>", cart, arm, axis="y", at=(0.3, 0, 0), rotation=[("x", np.pi / 2)])
    m.spherical("ball", arm, ball, at=(0, 0, -0.6))
    m.free("free", m.ground, flyer)
    m.screw("screw", flyer, bolt, axis="z", pitch=0.01)
    m.force(force * cart.x, at=cart.origin)
    m.torque(p.k * arm.y, on=arm)
    return m.system()


SYSTEMS = {
    **GALLERY, "chain15": lambda: jd.gallery.chain(15), "everything": everything, "four_bar": four_bar,
    "constrained": constrained,
}  # fmt: skip


@pytest.fixture(scope="module", params=SYSTEMS)
def shown(request: pytest.FixtureRequest) -> EquationsOfMotion:
    return derive(SYSTEMS[request.param]())


# -- how it reads ----------------------------------------------------------------------------------------------------


def lines_of(system: System) -> list[str]:
    return [f"{left} = {right}" for _, left, right in formulas(derive(system).text())]


def test_the_pendulum_reads_as_in_a_textbook() -> None:
    assert lines_of(jd.gallery.pendulum()) == [
        "M(q) udot + h(q, u) = f",
        "m*l**2*angleddot + m*g*l*sin(angle) = f[angle]",
        "G = m*g*l*sin(angle)",
        "T = m*l**2*angledot**2/2",
        "V = -m*g*l*cos(angle)",
    ]


def test_the_double_pendulum_reads_as_in_a_textbook() -> None:
    told = lines_of(jd.gallery.double_pendulum())
    assert "M₁₁ = l1**2*(m1 + m2) + m2*l2**2 + 2*m2*l1*l2*cos(elbow)" in told
    assert (
        "m2*l1*l2*(shoulderddot*cos(elbow) + shoulderdot**2*sin(elbow)) + m2*l2**2*(shoulderddot + elbowddot)"
        " + m2*g*l2*sin(shoulder + elbow) = f[elbow]"
    ) in told
    assert "V = -g*l1*(m1 + m2)*cos(shoulder) - m2*g*l2*cos(shoulder + elbow)" in told


def test_the_disk_s_equations_are_eulers() -> None:
    told = lines_of(jd.gallery.thin_disk())
    assert "m*R**2*(attitude.u1dot + attitude.u2*attitude.u3)/4 = f[attitude.u1]" in told
    assert "m*R**2*(attitude.u2dot - attitude.u1*attitude.u3)/4 = f[attitude.u2]" in told
    assert "m*R**2*attitude.u3dot/2 = f[attitude.u3]" in told


def test_the_pendulum_in_latex() -> None:
    text = derive(jd.gallery.pendulum()).latex()
    assert r"m \, {l}^{2} \, \ddot{\mathrm{angle}} + m \, g \, l \, \sin \mathrm{angle}" in text


def test_numbers_stay_as_they_were_typed() -> None:
    text = derive(everything()).text()
    assert "1.1 " in text
    assert "(0.3, 0, 0)" in text
    assert " 1/3 " in text
    assert "29430000" not in text


def test_what_is_prescribed_is_told() -> None:
    m = jd.Model("driven")
    inner = m.body("inner", mass=1, center=(0.2, 0, 0), inertia=jd.solid_sphere(0.1))
    outer = m.body("outer", mass=2.5, center=(0.3, 0, 0), inertia=jd.solid_sphere(0.1))
    crank = m.revolute("crank", m.ground, inner, axis="y")
    m.revolute("elbow", inner, outer, axis="y", at=(0.5, 0, 0))
    m.prescribe(crank, jd.sin(2.0 * m.time))
    text = derive(m.system()).text()
    assert "revolute, prescribed" in text
    assert re.search(r"crank +sin\(2\*t\)", text)
    assert "diag(0.004, 0.004, 0.004)" in text
    assert "0.235*elbowddot" in text


@pytest.mark.parametrize(
    ("rotation", "told"),
    [
        ([("x", np.pi / 2)], "frame turned 90° about x"),
        ([("y", -np.pi / 6)], "frame turned -30° about y"),
        ([("z", np.pi)], "frame turned 180° about z"),
        ([("x", np.pi / 2), ("y", np.pi / 2)], "frame turned 120° about (0.5774, 0.5774, 0.5774)"),
        (None, "revolute   "),
    ],
)
def test_how_a_joint_s_frame_is_turned(rotation: object, told: str) -> None:
    m = jd.Model("turned")
    m.revolute("hinge", m.ground, m.body("leaf", mass=1, inertia=jd.solid_sphere(0.1)), axis="z", rotation=rotation)
    assert told in derive(m.system()).text().replace("revolute  leaf", "revolute   leaf")


def test_a_frame_may_be_turned_by_a_parameter() -> None:
    m = jd.Model("turned")
    slope = m.parameter("slope", 0.2)
    leaf = m.body("leaf", mass=1, inertia=jd.solid_sphere(0.1))
    m.revolute("hinge", m.ground, leaf, axis="z", rotation=[("x", slope)])
    assert "by an angle that is a parameter" in derive(m.system()).text()


def test_a_system_without_freedom_says_so() -> None:
    m = jd.Model("welded")
    m.weld("weld", m.ground, m.body("block", mass=1, inertia=jd.solid_sphere(0.1)))
    found = derive(m.system())
    assert "Nothing moves freely" in found.text()
    assert "Equations of motion" not in found.text()
    ElementTree.fromstring(found.html())


def test_our_letters_give_way_to_the_user_s() -> None:
    m = jd.Model("letters")
    p = m.parameters(M=1.0, h=0.5, T=1.0)
    bob = m.particle("bob", p.M * p.T, center=(0, 0, -p.h))
    m.revolute("q", m.ground, bob, axis="y")
    text = derive(m.system()).text()
    told = {left: right for _, left, right in formulas(text)}
    assert told["A(q) udot + b(q, u)"] == "f"
    assert "K" in told
    assert "M*T*h**2*qddot" in text


def test_a_long_chain_is_told_as_inverse_dynamics() -> None:
    text = derive(jd.gallery.chain(15)).text()
    assert "f[q15] = " in text
    assert "M(q)" not in text


def test_it_prints_and_shows_itself() -> None:
    found = derive(jd.gallery.pendulum())
    assert str(found) == found.text()
    assert repr(found) == "<equations of motion of pendulum: 1 speed>"
    assert "<math" in found._repr_html_()
    assert "<html" not in found._repr_html_()


def test_every_entry_of_a_small_mass_matrix_is_told() -> None:
    told = {left for _, left, _ in formulas(derive(jd.gallery.stanford_arm()).text())}
    assert {"M₁₁", "M₁₂", "M₆₆", "h₁", "h₆"} <= told


def test_a_system_shows_itself() -> None:
    assert jd.gallery.pendulum()._repr_html_() == derive(jd.gallery.pendulum())._repr_html_()
    long = jd.gallery.chain(15)._repr_html_()
    assert "<svg" in long
    assert "Equations of motion" not in long


def test_multipliers_are_told_by_constraint() -> None:
    text = derive(four_bar()).text()
    assert "lambda1, lambda2 belong to “closed”" in text
    assert "Z2    = a*sin(q2)/(c*sin(q1 + q2 - q3))" in text
    assert "3 speeds, 1 constraint." in text


def test_the_rolling_disk_reads_as_in_gillespie_s_paper() -> None:
    told = lines_of(jd.gallery.rolling_disk_on_ramp())
    assert {"m*u1dot + m*g*sin(phi) = f[u1] - F_f", "J*u2dot/r**2 = f[u2] - F_f", "u2 = -u1"} <= set(told)
    assert "(m + J/r**2)*u1dot + m*g*sin(phi) = 0" in told


def test_the_wrist_reads_as_in_gillespie_s_paper() -> None:
    text = derive(jd.gallery.spherical_wrist()).text()
    assert "u3dot = ((I1 - I2)*u1*u2 + T3)/I3" in text
    assert "q2dot = u1*sin(q3) + u2*cos(q3)" in text
    assert "Where sin(q2) vanishes, the speeds do not tell these rates." in text
    assert re.search(r"u1 +C\.x +-L C\.y\nu2 +C\.y +L C\.x\nu3 +C\.z +0", text)


def test_speeds_of_which_others_say_all() -> None:
    m = jd.Model("held")
    bob = m.particle("bob", 1.0, center=(0, 0, -1.0))
    m.revolute("q", m.ground, bob, axis="y")
    m.switch("stop", m["q"].speed)
    assert "No speed is left free." in derive(m.system()).text()


def test_what_fills_pages_is_not_written_out() -> None:
    m = jd.Model("long")
    body = m.ground
    for k in range(1, 6):
        link = m.body(f"b{k}", mass=1.0, center=(0.1, 0.2, 0.3), inertia=jd.principal(0.1, 0.2, 0.15))
        m.revolute(f"q{k}", body, link, axis="xyz"[k % 3], at=(0.1 * k, 0, 0.2))
        body = link
    m.keep("edge", body.center.velocity @ body.y)
    text = derive(m.system()).text()
    assert "Written out, the speeds q5 would fill pages." in text
    assert "With the intermediate quantities" in text
    assert "A udot + b = 0" in text


# -- that it can be opened -------------------------------------------------------------------------------------------


def test_the_page_is_well_formed_and_self_contained(shown: EquationsOfMotion) -> None:
    page = shown.html()
    root = ElementTree.fromstring(page)
    tags = {element.tag.rpartition("}")[2] for element in root.iter()}
    assert {"math", "svg", "table", "section"} <= tags
    assert not tags & {"script", "img", "link", "iframe", "object", "b", "i"}
    for element in root.iter():
        for name, value in element.attrib.items():
            assert not name.startswith("on"), f"{element.tag} has {name}"
            assert name not in ("src", "srcset", "action"), f"{element.tag} has {name}"
            assert name != "href" or value.startswith("#")
    assert "url(" not in page
    assert "@import" not in page


def test_anchors_are_where_links_lead(shown: EquationsOfMotion) -> None:
    root = ElementTree.fromstring(shown.html())
    anchors = {element.attrib["id"] for element in root.iter("section")}
    links = {element.attrib["href"].removeprefix("#") for element in root.iter("a")}
    assert anchors == links
    assert anchors <= {entry.anchor for entry in SECTIONS}


def test_a_user_s_names_are_text() -> None:
    found = derive(everything())
    for html in (found.html(), found._repr_html_()):
        assert "<script" not in html
        assert "&lt;script&gt;" in html
    assert r"a\textless{}b\textgreater{}\&c\_\{\$\%\#\}" in found.latex()
    texts = "".join(ElementTree.fromstring(found.html()).itertext())
    assert "s<script>alert(1)</script>" in texts


MARKS = re.compile(r"\\begin\{(\w+\*?)\}|\\end\{(\w+\*?)\}|\\(left|right)\b|\\.|[{}$]")


def test_latex_is_balanced(shown: EquationsOfMotion) -> None:
    stack: list[str] = []
    body = re.sub(r"(?m)^%.*$", "", shown.latex())
    for mark in MARKS.finditer(body):
        if mark[1]:
            stack.append(mark[1])
        elif mark[2]:
            assert stack.pop() == mark[2]
        elif mark[3]:
            if mark[3] == "left":
                stack.append("left")
            else:
                assert stack.pop() == "left"
        elif mark[0] == "{":
            stack.append("{")
        elif mark[0] == "}":
            assert stack.pop() == "{"
        else:
            assert mark[0] != "$", "an unescaped dollar"
    assert not stack
    assert body.isascii() or shown.system.name.startswith("a<b")


def test_latex_lines_fit_on_paper(shown: EquationsOfMotion) -> None:
    from jourdain.reader.latex import LINE, _glyphs

    for block in re.findall(r"\\begin\{align\*\}\n(.*?)\n\\end\{align\*\}", shown.latex(), re.DOTALL):
        for line in re.split(r" \\\\[ \n]", block):  # rows of a matrix among them
            assert _glyphs(line) <= 1.3 * LINE, line


def test_numbers_among_parameters_stay_small() -> None:
    m = jd.Model("furuta")
    p = m.parameters(L=0.3, c=0.2, J=0.01, m_p=0.1, I=1e-3)
    arm = m.body("arm", mass=0.2, inertia=jd.about_z(p.J))
    rod = m.body("rod", mass=p.m_p, center=(0, 0, p.c), inertia=jd.principal(p.I, p.I, 1e-5))
    m.revolute("alpha", m.ground, arm, axis="z")
    m.revolute("beta", arm, rod, axis="x", at=(p.L, 0, 0))
    m.speeds(w1=rod.omega @ rod.x, w3=rod.omega @ rod.z)
    told = jd.derive(m.system()).text()
    assert "100000" not in told
    assert "m_p*c**2 + I - 1e-05" in told
    assert "cos(beta)/cos(beta)" not in told  # what cancels is not written
    assert "- m_p*L*c*w1*w3" in told


def test_a_four_bar_reads_line_by_line() -> None:
    told = jd.derive(jd.gallery.four_bar()).text()
    assert "As they are computed" not in told
    assert "  (m3*l3**2 + 4*I3)*q3ddot/4 + m3*g*l3*cos(q3)/2 = f[q3]" in told
