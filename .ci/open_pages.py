"""Opens every page of the built documentation in Chromium, without a window: it must show, and its scripts must run.

    python .ci/open_pages.py chromium docs/build/html
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from pathlib import Path

SKIPPED = ("genindex", "search", "py-modindex", "_modules")
SECONDS = 60


def complaints(browser: str, page: Path, profile: str) -> list[str]:
    """What is wrong with a page."""
    flags = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--enable-logging=stderr"]
    done = subprocess.run(
        [browser, *flags, f"--user-data-dir={profile}", "--dump-dom", page.resolve().as_uri()],
        capture_output=True, text=True, timeout=SECONDS, check=False,
    )  # fmt: skip
    found = [line for line in done.stderr.splitlines() if re.search(r":CONSOLE[:(].*(Error|Failed)", line)]
    if done.returncode:
        found.append(f"{browser} ended with status {done.returncode}: {done.stderr.strip()[-400:]}")
    if "<h1>" not in done.stdout:
        found.append("no heading is shown")
    if "<merror" in done.stdout:
        found.append("a formula is shown as an error")
    return found


def main(browser: str, folder: Path) -> int:
    """Status 1 if a page is not well."""
    pages = [x for x in sorted(folder.rglob("*.html")) if not str(x.relative_to(folder)).startswith(SKIPPED)]
    bad = 0 if pages else 1
    with tempfile.TemporaryDirectory() as profile:
        for page in pages:
            found = complaints(browser, page, profile)
            bad += bool(found)
            print(f"{'✗' if found else '✓'} {page.relative_to(folder)}", *found, sep="\n    ")
    return min(bad, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], Path(sys.argv[2])))
