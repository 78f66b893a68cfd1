"""Chromium without a window, spoken to over a pipe (its DevTools protocol): JSON messages that end with a zero byte."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run",
    "--remote-debugging-pipe", "--force-device-scale-factor=1", "--hide-scrollbars",
    "--disable-background-timer-throttling", "--disable-renderer-backgrounding",
    "--disable-backgrounding-occluded-windows",
)  # fmt: skip
SECONDS = 60.0
FAR = 10  # where file handles do not get in the way


def program() -> str | None:
    """Where Chromium is, if it is."""
    return next((path for path in map(shutil.which, NAMES) if path), None)


class Browser:
    """One page. console: what it said; requests: addresses that it asked for."""

    def __init__(self, profile: Path, size: tuple[int, int] = (900, 900), dark: bool = False) -> None:
        path = program()
        assert path is not None
        near_in, self._out = os.pipe()
        self._in, near_out = os.pipe()
        ends = [fcntl.fcntl(x, fcntl.F_DUPFD_CLOEXEC, FAR) for x in (near_in, near_out)]
        flags = [*FLAGS, f"--user-data-dir={profile}", f"--window-size={size[0]},{size[1]}"]
        placed = f'exec "$0" "$@" 3<&{ends[0]} 4>&{ends[1]}'  # Chromium reads from 3 and writes to 4
        self._process = subprocess.Popen(
            ["bash", "-c", placed, path, *flags], pass_fds=ends, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        for handle in (near_in, near_out, *ends):
            os.close(handle)
        self._left, self._count, self._session = b"", 0, ""
        self.console: list[str] = []
        self.requests: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.send(f"{domain}.enable")
        scheme = "dark" if dark else "light"
        self.send("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """A command, and its answer; events that come before it are noted."""
        self._count += 1
        message: dict[str, Any] = {"id": self._count, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            found = self._next(end)
            if found.get("id") == self._count:
                assert "error" not in found, found
                result: dict[str, Any] = found["result"]
                return result
            self._note(found)

    def _next(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._left:
            ready, _, _ = select.select([self._in], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            more = os.read(self._in, 1 << 20)
            assert more, "the browser has ended"
            self._left += more
        text, _, self._left = self._left.partition(b"\0")
        found: dict[str, Any] = json.loads(text)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        method, values = event.get("method"), event.get("params", {})
        if method == "Runtime.consoleAPICalled":
            self.console.append(" ".join(str(x.get("value")) for x in values["args"]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(json.dumps(values["exceptionDetails"]))
        elif method == "Log.entryAdded":
            self.console.append(values["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(values["request"]["url"])

    def open(self, page: Path) -> None:
        """A file, until it is loaded."""
        self.send("Page.navigate", url=page.resolve().as_uri())
        end = time.monotonic() + SECONDS
        while self.run("document.readyState") != "complete" or self.run("location.href") == "about:blank":
            assert time.monotonic() < end
            time.sleep(0.02)

    def run(self, code: str) -> Any:
        """The value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found["exceptionDetails"]
        return found["result"].get("value")

    def press(self, key: str, code: str = "", text: str = "", shift: bool = False) -> None:
        """A key, as a person would."""
        for kind in ("keyDown", "keyUp"):
            more = {"text": text} if text and kind == "keyDown" else {}
            self.send("Input.dispatchKeyEvent", type=kind, key=key, code=code or key, modifiers=8 * shift, **more)

    def drag(self, a: tuple[float, float], b: tuple[float, float]) -> None:
        """With the mouse, its left button down."""
        for kind, (x, y), held in (("mousePressed", a, 1), ("mouseMoved", b, 1), ("mouseReleased", b, 0)):
            self.send("Input.dispatchMouseEvent", type=kind, x=x, y=y, button="left", buttons=held, clickCount=1)

    def screenshot(self) -> bytes:
        """The window as PNG."""
        return base64.b64decode(self.send("Page.captureScreenshot")["data"])
