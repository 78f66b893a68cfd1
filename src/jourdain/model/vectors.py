"""Vectors as users write them: sums of vectors fixed in bodies and of kinematic ones, without a choice of axes.

`F * basket.x`, `P.velocity @ basket.y`, `P.pos_from(Q).norm()`, `P.velocity.dt(basket)`. Components are taken only
where a scalar is asked for. What depends on the motion (velocities, directions of one body's axes in another's) is not
worked out here: a symbol stands for it, `System.quantities` says what it stands for, and the derivation puts it in.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar, NoReturn, Protocol

from ..graph import Node, Role, sqrt
from ..spatial import Rotation, Vector
from .drafts import Atom, Placeholder
from .system import GROUND

if TYPE_CHECKING:
    from .arguments import Reader, Scalar
    from .oriented import Seen
    from .workshop import Workshop

_ROLES = {
    "position": Role.COORDINATE,
    "axis": Role.COORDINATE,
    "velocity": Role.SPEED,
    "omega": Role.SPEED,
    "acceleration": Role.ACCELERATION,
    "alpha": Role.ACCELERATION,
    "rate": Role.ACCELERATION,
}
_LETTERS = "xyz"


class Axes(Protocol):
    """A body or a frame fixed in one, whose axes components can be taken along."""

    @property
    def body_name(self) -> str: ...

    @property
    def turned(self) -> Rotation:
        """From its axes to the body's."""
        ...


class Placeholders:
    """The symbols that stand for what only the derivation knows, each made once."""

    def __init__(self, model: Workshop) -> None:
        self.model, self.graph = model, model.graph
        self.symbols: dict[Placeholder, Node] = {}
        self.meanings: dict[Node, Placeholder] = {}
        self._names: set[str] = set()

    def component(self, atom: Atom, axes: str, component: int) -> Node:
        """A component of a kinematic vector along an axis of a body."""
        return self._symbol(Placeholder(atom, axes, component), atom.point.name if atom.point else atom.of)

    def cosine(self, a: str, i: int, b: str, k: int) -> Node:
        """The cosine between axis i of body a and axis k of body b; one symbol, whichever comes first."""
        if a == b:
            return self.graph.one if i == k else self.graph.zero
        if a == GROUND or (b != GROUND and b < a):
            a, i, b, k = b, k, a, i
        return self._symbol(Placeholder(Atom("axis", a), b, k, i), a)

    def rate(self, body: str, index: int) -> Node:
        """The rate of a speed of the joint that carries a body."""
        return self._symbol(Placeholder(Atom("rate", body), body, index), body)

    def own(self, words: str, role: Role) -> Node:
        """A symbol of the model's own; the brackets keep it apart from every name that a user can give."""
        name, count = f"[{words}]", 1
        while name in self._names:
            count += 1
            name = f"[{words} ({count})]"
        self._names.add(name)
        return self.graph.symbol(name, role)

    def _symbol(self, meaning: Placeholder, subject: str) -> Node:
        found = self.symbols.get(meaning)
        if found is None:
            kind = meaning.atom.kind
            if kind == "rate":
                words = f"{subject}: rate of its joint's speed {meaning.component + 1}"
            else:
                what = f"axis {_LETTERS[meaning.axis]}" if kind == "axis" else kind
                words = f"{subject}: {what} along {_LETTERS[meaning.component]} of {meaning.axes}"
            found = self.own(words, _ROLES[kind])
            self.symbols[meaning] = found
            self.meanings[found] = meaning
        return found


class VectorExpression:
    """A vector of the model.

    v + w, v - w, v * scalar, v / scalar; v @ w (dot product), v.cross(w), v.norm(); v.dt(body), its rate of change as
    seen from a body; v.in_frame(body), its components.

    fixed: body -> components in that body's axes. moving: kinematic vectors and their factors.
    """

    # An unhashable operand makes Node.__mul__ give way to __rmul__; no ufunc tries to take a vector apart.
    __hash__: ClassVar[None]  # type: ignore[assignment]
    __array_ufunc__: ClassVar[None] = None
    __slots__ = ("fixed", "moving", "places", "reader")

    def __init__(
        self, places: Placeholders, reader: Reader, fixed: Mapping[str, Vector], moving: Mapping[Atom, Node]
    ) -> None:
        self.places = places
        self.reader = reader
        self.fixed = {body: v for body, v in fixed.items() if not v.is_zero}
        self.moving = {atom: factor for atom, factor in moving.items() if not factor.is_zero}

    # -- linear algebra -----------------------------------------------------------------------------------------

    def __add__(self, other: VectorExpression) -> VectorExpression:
        other = self._partner(other, "is added to")
        fixed, moving = dict(self.fixed), dict(self.moving)
        for body, v in other.fixed.items():
            fixed[body] = fixed[body] + v if body in fixed else v
        for atom, factor in other.moving.items():
            moving[atom] = moving[atom] + factor if atom in moving else factor
        return self._like(fixed, moving)

    def __radd__(self, other: object) -> VectorExpression:
        """0 + v, so that sum([v, w]) is one."""
        if isinstance(other, int) and other == 0:
            return self
        return self._partner(other, "is added to")

    def __sub__(self, other: VectorExpression) -> VectorExpression:
        return self + -self._partner(other, "is subtracted from")

    def __rsub__(self, other: object) -> VectorExpression:
        return self._partner(other, "has subtracted from it") - self

    def __neg__(self) -> VectorExpression:
        return self._like({b: -v for b, v in self.fixed.items()}, {a: -x for a, x in self.moving.items()})

    def __pos__(self) -> VectorExpression:
        return self

    def __mul__(self, factor: Scalar) -> VectorExpression:
        if isinstance(factor, VectorExpression):
            raise TypeError("a product of vectors is v @ w (dot) or v.cross(w)")
        x = self.reader.scalar(factor, "a vector's factor")
        return self._like({b: v * x for b, v in self.fixed.items()}, {a: y * x for a, y in self.moving.items()})

    def __rmul__(self, factor: Scalar) -> VectorExpression:
        return self * factor

    def __truediv__(self, divisor: Scalar) -> VectorExpression:
        if isinstance(divisor, VectorExpression):
            raise TypeError("nothing is divided by a vector; divide by v.norm() or by a component, v @ body.x")
        return self * (self.places.graph.one / self.reader.scalar(divisor, "a vector's divisor"))

    # -- what vectors are not -----------------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        raise TypeError("vectors are not compared; their dot products are scalars")

    def __lt__(self, other: object) -> bool:
        raise TypeError("vectors are not compared; their lengths, v.norm(), and dot products are scalars")

    __le__ = __gt__ = __ge__ = __lt__

    def __bool__(self) -> bool:
        raise TypeError("a vector is neither true nor false; v @ w is the dot product, v.cross(w) the vector product")

    def __rtruediv__(self, other: object) -> NoReturn:
        raise TypeError("nothing is divided by a vector; divide by v.norm() or by a component, v @ body.x")

    def __pow__(self, exponent: object) -> NoReturn:
        raise TypeError("a vector has no powers; its square is v @ v")

    def __and__(self, other: object) -> NoReturn:
        raise TypeError("the dot product is v @ w")

    def __xor__(self, other: object) -> NoReturn:
        raise TypeError("the vector product is v.cross(w)")

    def __getitem__(self, index: object) -> NoReturn:
        raise TypeError("a vector has components only along axes: v @ body.x, or v.in_frame(body)")

    # -- products -----------------------------------------------------------------------------------------------

    def __matmul__(self, other: VectorExpression) -> Node:
        """The dot product. Pairs that share axes, or one of which has axes of its own, cost fewest components."""
        other = self._partner(other, "is multiplied with")
        total = self.places.graph.zero
        for a in self._terms():
            for b in other._terms():
                total = total + _dot(a, b)
        return total

    def __rmatmul__(self, other: object) -> Node:
        return self._partner(other, "is multiplied with") @ self

    def dot(self, other: VectorExpression) -> Node:
        """The dot product, v @ other."""
        return self @ other

    def cross(self, other: VectorExpression) -> VectorExpression:
        """The vector product."""
        other = self._partner(other, "is multiplied with")
        total = self._like({}, {})
        for a in self._terms():
            for b in other._terms():
                axes = _common_axes(a, b)
                total = total + self._like({axes: a._along(axes).cross(b._along(axes))}, {})
        return total

    def norm(self) -> Node:
        """The length."""
        return sqrt(self @ self)

    def magnitude(self) -> Node:
        """The length, as `norm`."""
        return self.norm()

    def normalize(self) -> VectorExpression:
        """The unit vector of the same direction; not a number where the length is zero."""
        length = self.norm()
        if length.is_zero:
            raise ValueError("a vector of no length has no direction")
        return self / length

    # -- frames -------------------------------------------------------------------------------------------------

    def in_frame(self, axes: Axes) -> tuple[Node, Node, Node]:
        """Components along the axes of a body (or of a frame)."""
        if getattr(axes, "model", self.places.model) is not self.places.model:
            raise ValueError(f"{axes!r} belongs to another model than the vector {self!r}")
        x, y, z = axes.turned.outward(self._along(axes.body_name))
        return x, y, z

    def to_matrix(self, axes: Axes) -> tuple[Node, Node, Node]:
        """Components along the axes of a body (or of a frame), as `in_frame`."""
        return self.in_frame(axes)

    def express(self, axes: Axes) -> VectorExpression:
        """The same vector by its components in one body's axes."""
        return self._like({axes.body_name: axes.turned.inward(Vector(*self.in_frame(axes)))}, {})

    def dt(self, frame: Seen = None) -> VectorExpression:
        """The derivative with respect to time as seen from a body or frame; from the ground if left out.

        Inputs count as constant. A derivative of an acceleration is refused.
        """
        from .rates import rate_in

        model = self.places.model
        return rate_in(model, self, model.seen_from(frame, "what a vector's rate is seen from"))

    # -- inside -------------------------------------------------------------------------------------------------

    def _partner(self, other: object, verb: str) -> VectorExpression:
        """The other operand; TypeError or ValueError where it is no vector of this model."""
        if not isinstance(other, VectorExpression):
            shown = repr(other)
            raise TypeError(
                f"a vector {verb} {shown if len(shown) < 60 else shown[:57] + '...'}, which is no vector; a scalar "
                "stands before an axis, like x * body.x, and (x, y, z) in body.vector((x, y, z))"
            )
        if other.places is not self.places:
            raise ValueError(
                f"these vectors belong to different models, {self.places.model.name!r} and "
                f"{other.places.model.name!r}; place one model in the other"
            )
        return other

    def _like(self, fixed: Mapping[str, Vector], moving: Mapping[Atom, Node]) -> VectorExpression:
        return VectorExpression(self.places, self.reader, fixed, moving)

    def _terms(self) -> list[VectorExpression]:
        return [self._like({b: v}, {}) for b, v in self.fixed.items()] + [
            self._like({}, {a: x}) for a, x in self.moving.items()
        ]

    def _along(self, axes: str) -> Vector:
        """Components in a body's axes."""
        places = self.places
        total = Vector.zero(places.graph)
        for body, v in self.fixed.items():
            if body == axes:
                total = total + v
                continue
            for i in range(3):
                if not v[i].is_zero:
                    total = total + Vector(*(places.cosine(body, i, axes, k) for k in range(3))) * v[i]
        for atom, factor in self.moving.items():
            total = total + Vector(*(places.component(atom, axes, k) for k in range(3))) * factor
        return total

    def by_axes(self) -> dict[str, Vector]:
        """The same vector as a sum of vectors in some bodies' axes, with as few symbols as can be."""
        found = dict(self.fixed)
        for atom, factor in self.moving.items():
            term = self._like({}, {atom: factor})
            axes = next(iter(self.fixed), _home(atom)) if len(self.fixed) == 1 else _home(atom)
            v = term._along(axes)
            found[axes] = found[axes] + v if axes in found else v
        return found

    def __repr__(self) -> str:
        parts = [
            f"{_before(x)}{body}.{letter}"
            for body, v in self.fixed.items()
            for letter, x in zip(_LETTERS, v)
            if not x.is_zero
        ]
        parts += [f"{_before(x)}{a.point.name if a.point else a.of}.{a.kind}" for a, x in self.moving.items()]
        return " + ".join(parts) or "0"


def _home(atom: Atom) -> str:
    """The axes in which a kinematic vector is found with least work."""
    return GROUND if atom.kind == "position" else atom.of


def _common_axes(a: VectorExpression, b: VectorExpression) -> str:
    """Axes for two terms: those of the one that is fixed in a body, which then needs no symbols."""
    for term in (a, b):
        for body in term.fixed:
            return body
    return _home(next(iter(a.moving)))


def _dot(a: VectorExpression, b: VectorExpression) -> Node:
    """Of two terms."""
    if a.fixed and b.fixed:
        (body_a, v), (body_b, w) = next(iter(a.fixed.items())), next(iter(b.fixed.items()))
        total = a.places.graph.zero
        for i in range(3):
            for k in range(3):
                if not v[i].is_zero and not w[k].is_zero:
                    total = total + v[i] * w[k] * a.places.cosine(body_a, i, body_b, k)
        return total
    if b.fixed:
        a, b = b, a
    if a.fixed:
        body, v = next(iter(a.fixed.items()))
        atom, factor = next(iter(b.moving.items()))
        total = a.places.graph.zero
        for k in range(3):
            if not v[k].is_zero:
                total = total + v[k] * factor * a.places.component(atom, body, k)
        return total
    axes = _common_axes(a, b)
    return a._along(axes).dot(b._along(axes))


def _before(factor: Node) -> str:
    """A factor as it stands before a direction."""
    return "" if factor is factor.graph.one else f"({factor!r}) "
