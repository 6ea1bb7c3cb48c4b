"""Writes src/sevenfold/lesson_code.json: the lines of our own source that do the steps of a simulation, for the page
that teaches them. An installed package has no C++ in it, so the lines are kept as data; a test compares the two.

python docs/pull_lesson_code.py
"""

import json
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))
from pull_source import excerpt

ROOT = Path(__file__).parent.parent
FILE = ROOT / "src" / "sevenfold" / "lesson_code.json"
MCTS, POSITION = "cpp/search/mcts.cpp", "cpp/search/mcts_position.cpp"
# step: file, a text of the first line, a text of the last line (as docs/pull_source.py takes them)
STEPS = {
    "select uct": (MCTS, "const float reach = c * root_log(node.visits);", "};"),
    "select alphazero": (MCTS, "const auto base = static_cast<float>(options_.growth);", "});"),
    "select untried": (MCTS, "// Step 1. Take the next edge", "Edge* edge = next_edge(at, floor);"),
    "select chance": (MCTS, "const Action outcome = sample(outcomes_, rng_);", "return &edges[i];"),
    "expand uct": (MCTS, "if (node.size < node.legal) {", "edge != nullptr) return edge;"),
    "expand alphazero": (POSITION, "if (weights != nullptr)", "prior = weights[action] / sum;"),
    "evaluate rules": (MCTS, "if (state_.is_over()) {", "}"),
    "evaluate rollout": (POSITION, "if (policy_) state_.rollout(rng_);", "state_.returns(out);"),
    "evaluate net": ("src/sevenfold/alphazero.py", "if many else evaluate_states)(evaluator, states)", "at += len"),
    "back_up": (MCTS, "for (std::size_t i = path_.size(); i-- > 0;) {", "edge.total += scaled(values[mover]);"),
}


def lines_of(root: Path = ROOT) -> dict[str, dict[str, Any]]:
    """For each step the file, the number of the first line, and the lines."""
    found = {}
    for step, (path, first, last) in STEPS.items():
        source = (root / path).read_text(encoding="utf-8")
        text = excerpt(source, first, last)
        number = next(i for i, line in enumerate(source.splitlines(), 1) if first in line)
        found[step] = {"file": path, "first": number, "text": text}
    return found


if __name__ == "__main__":
    FILE.write_text(json.dumps(lines_of(), indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
