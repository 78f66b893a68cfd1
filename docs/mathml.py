"""Formulas as MathML, made when the pages are built: they show without a network, and in the dark as in the light.

Docutils has the converter; this makes it one of Sphinx's renderers, `html_math_renderer = "mathml"`.
"""

from __future__ import annotations

import re
from html import unescape
from xml.etree import ElementTree

from docutils import nodes
from docutils.utils.math import MathError, wrap_math_code
from docutils.utils.math.latex2mathml import tex2mathml
from sphinx.application import Sphinx
from sphinx.util import logging
from sphinx.util.math import get_node_equation_number
from sphinx.writers.html5 import HTML5Translator

LOG = logging.getLogger(__name__)
SPACE = "http://www.w3.org/1998/Math/MathML"
NAMED = re.compile(r"&(?!lt;|gt;|amp;)\w+;")  # HTML's, which XML does not know
ACCENTS = set("~˙¨^¯→‾ˇ´`˘˜ˆ")


def converted(node: nodes.math | nodes.math_block, block: bool) -> str:
    """MathML; a warning, which the build takes for an error, where a formula cannot be read."""
    try:
        text = node.astext()
        if block and r"\\" in text:  # several lines are aligned; a single one needs no environment
            text = wrap_math_code(text, as_block=True)
        return with_accents_on_letters(str(tex2mathml(text, as_block=block)))
    except MathError as error:
        LOG.warning("formula %r: %s", node.astext(), error, location=node)
        return ""


def with_accents_on_letters(mathml: str) -> str:
    """An accented letter's index beside it; the converter puts it underneath, as if the accent were a limit."""
    ElementTree.register_namespace("", SPACE)
    root = ElementTree.fromstring(NAMED.sub(lambda entity: unescape(entity[0]), mathml))
    for both in list(root.iter(f"{{{SPACE}}}munderover")):
        letter, index, accent = both
        if (accent.text or "").strip() in ACCENTS:
            both.tag = f"{{{SPACE}}}msub"
            over = ElementTree.Element(f"{{{SPACE}}}mover", {"accent": "true"})
            over.extend([letter, accent])
            both[:] = [over, index]
    return ElementTree.tostring(root, encoding="unicode")


def inline(self: HTML5Translator, node: nodes.math) -> None:
    """A formula in the line."""
    self.body.append(converted(node, block=False))
    raise nodes.SkipNode


def display(self: HTML5Translator, node: nodes.math_block) -> None:
    """A formula by itself, with its number where it has one."""
    number = ""
    if node["number"]:
        number = f'<span class="eqno">({get_node_equation_number(self, node)})</span>'
    self.body.append(self.starttag(node, "div", CLASS="math") + number + converted(node, block=True) + "</div>")
    raise nodes.SkipNode


def setup(app: Sphinx) -> dict[str, bool]:
    """Makes the renderer known."""
    app.add_html_math_renderer("mathml", (inline, None), (display, None))
    return {"parallel_read_safe": True, "parallel_write_safe": True}
