"""Moving pictures of a mechanism, from poses over time: films, and a page that plays it."""

from .film import film
from .page import page
from .scene import PARTS, Scene, Span, Tick, View, scene

__all__ = ["PARTS", "Scene", "Span", "Tick", "View", "film", "page", "scene"]
