"""Reads XML that nobody has vouched for: elements with their lines, within bounds, without entities or a DTD."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.parsers import expat

from ..model.mistakes import Mistake, ModelError, Where

MAX_BYTES = 50_000_000
MAX_ELEMENTS = 200_000
MAX_DEPTH = 100


@dataclass(eq=False)
class Element:
    """A tag with its attributes, its children and the line it begins on; text between tags is not kept."""

    tag: str
    attributes: dict[str, str]
    where: Where
    children: list[Element] = field(default_factory=list)

    def all(self, tag: str) -> Iterator[Element]:
        """Its own children of a tag, not theirs."""
        return (child for child in self.children if child.tag == tag)

    def first(self, tag: str) -> Element | None:
        """The first child of a tag, None where there is none."""
        return next(self.all(tag), None)


def read_xml(data: bytes, source: str, encoding: str | None = None) -> Element:
    """The root element of a document.

    source: the file's name, for messages. encoding: overrides what the document says of itself.
    A document that is not well formed, declares a document type or is out of bounds raises a ModelError.
    """
    if len(data) > MAX_BYTES:
        raise _refused(source, 0, f"the file has more than {MAX_BYTES // 1_000_000} MB; this is no model file")
    parser = expat.ParserCreate(encoding)
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    above: list[Element] = []
    roots: list[Element] = []
    count = 0

    def refuse_document_type(*_: object) -> None:
        raise _refused(
            source, parser.CurrentLineNumber, "the file declares a document type or entities; remove <!DOCTYPE …>"
        )

    def start(tag: str, attributes: dict[str, str]) -> None:
        nonlocal count
        count += 1
        line = parser.CurrentLineNumber
        if count > MAX_ELEMENTS:
            raise _refused(source, line, f"the file has more than {MAX_ELEMENTS} elements; this is no model file")
        if len(above) >= MAX_DEPTH:
            raise _refused(source, line, f"elements are nested more than {MAX_DEPTH} deep; this is no model file")
        element = Element(tag, attributes, Where(source, line))
        (above[-1].children if above else roots).append(element)
        above.append(element)

    def end(_: str) -> None:
        above.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.StartDoctypeDeclHandler = refuse_document_type
    parser.EntityDeclHandler = refuse_document_type
    try:
        parser.Parse(data, True)
    except (expat.ExpatError, LookupError, UnicodeError, ValueError) as error:
        if isinstance(error, ModelError):
            raise
        raise _refused(source, parser.ErrorLineNumber, f"this is not well-formed XML: {error}") from None
    return roots[0]


def _refused(source: str, line: int, text: str) -> ModelError:
    return ModelError(source, [Mistake(text, Where(source, line))])
