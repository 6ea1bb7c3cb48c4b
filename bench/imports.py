"""How long `import sevenfold` takes in a new interpreter, and that it pulls in nothing heavy."""

import subprocess
import sys

from bench.side_by_side import Row

CODE = """
import sys, time
start = time.perf_counter()
import sevenfold
print(time.perf_counter() - start, *(m for m in ("torch", "onnxruntime") if m in sys.modules))
"""


def run() -> list[Row]:
    answers = [
        subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True) for _ in range(5)
    ]
    seconds, *heavy = min((answer.stdout.split() for answer in answers), key=lambda words: float(words[0]))
    return [
        Row("import sevenfold", "s", float(seconds), wanted="< 0.25 s", reached=float(seconds) < 0.25 and not heavy)
    ]
