"""Films: GIF through Pillow, MP4 through ffmpeg."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import tempfile
from pathlib import Path

import numpy as np

from .canvas import Canvas, palette
from .scene import Scene

HUNDREDTHS = 100.0  # of a second: in which a GIF counts
INSTALL = (
    "MP4 films need ffmpeg: install it, or `pip install 'jourdain[films]'`, or name a file that ends with .gif or .html"
)


def film(scene: Scene, path: Path, suffix: str, fps: float, size: tuple[int, int]) -> None:
    """All frames, one after the other. suffix: ".gif" or ".mp4"; size: width and height [px]."""
    canvas = Canvas(scene, size)
    (_gif if suffix == ".gif" else _mp4)(canvas, path, fps)


def _gif(canvas: Canvas, path: Path, fps: float) -> None:
    from PIL import Image

    count = len(canvas.scene.times)
    colors = Image.new("P", (1, 1))
    colors.putpalette(np.round(palette()).astype(np.uint8).tobytes())
    painted = [
        Image.fromarray(canvas.paint(k)).quantize(palette=colors, dither=Image.Dither.NONE) for k in range(count)
    ]
    ends = [round(HUNDREDTHS * (k + 1) / fps) for k in range(len(painted))]
    durations = [10 * (b - a) for a, b in zip([0, *ends], ends)]
    painted[0].save(
        path, format="GIF", save_all=True, append_images=painted[1:], duration=durations, loop=0, disposal=1,
    )  # fmt: skip


def _mp4(canvas: Canvas, path: Path, fps: float) -> None:
    program = _ffmpeg()
    width, height = canvas.width // 2 * 2, canvas.height // 2 * 2  # what its colours ask for
    arguments = [
        program, "-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", f"{width}x{height}",
        "-r", f"{fps:g}", "-i", "-", "-an", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-crf", "20",
        "-movflags", "+faststart", "-f", "mp4", str(path),
    ]  # fmt: skip
    with tempfile.TemporaryFile() as said:
        process = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=said)
        assert process.stdin is not None
        try:
            with contextlib.suppress(BrokenPipeError):  # it has ended, and said why
                for k in range(len(canvas.scene.times)):
                    process.stdin.write(canvas.paint(k)[:height, :width].tobytes())
        except BaseException:
            process.kill()
            raise
        finally:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()
        said.seek(0)
        if process.returncode:
            reason = said.read().decode(errors="replace").strip().splitlines()
            raise OSError(f"ffmpeg could not make the film: {reason[-1] if reason else process.returncode}")


def _ffmpeg() -> str:
    found = shutil.which("ffmpeg")
    if found is not None:
        return found
    try:
        from imageio_ffmpeg import get_ffmpeg_exe
    except ImportError as error:
        raise ImportError(INSTALL) from error
    return str(get_ffmpeg_exe())
