"""Named architectures: small ones for small machines, and those of the founding documents, layer by layer."""

from dataclasses import replace

from sevenfold.nets.architecture import Architecture
from sevenfold.options import shown

_SUITS = Architecture(
    family="rows",
    blocks=2,
    channels=96,
    value="players",
    value_hidden=64,
    value_linear=True,
    value_unit=100.0,
    balanced=True,
)

PRESETS: dict[str, Architecture] = {
    # Tic-tac-toe in a minute.
    "quick": Architecture(blocks=2, channels=16, policy_channels=2, value_channels=2, value_hidden=16),
    # Connect-four in an hour on two cores.
    "laptop": Architecture(blocks=3, channels=32, policy_channels=8, value_channels=4, value_hidden=32),
    "laptop_large": Architecture(blocks=5, channels=64, policy_channels=8, value_channels=4, value_hidden=64),
    # One net for boards of every size.
    "boards": Architecture(
        blocks=5, channels=64, policy="columns", policy_channels=16, value_channels=16, value_hidden=64, pooling=True
    ),
    # Rows that are alike: suits. Points have a long tail, so the value is linear, in hundreds of points.
    "suits": _SUITS,
    "suits_small": replace(_SUITS, channels=64),
    "suits_deep": replace(_SUITS, blocks=4),
    # The founding documents. Their 1×1 convolutions, hidden layers and biases are kept as they are, to compare with.
    "tutorial": Architecture(blocks=5, channels=64, conv_bias=True),
    # AlphaGo's 13 layers of 192, twice; residual, as all nets here, which AlphaGo's were not yet.
    "alphago": Architecture(blocks=6, channels=192, value_hidden=256, separate=True),
    "alphagozero": Architecture(blocks=19, channels=256, value_hidden=256),
    # 800 points are 1, and what is beyond counts as 1: the founding document's scale, under a tanh.
    "sevens": Architecture(blocks=5, channels=256, value_hidden=256, value_unit=800.0),
    "sevens_deep": Architecture(blocks=10, channels=256, value_hidden=256, value_unit=800.0),
    "tetris": Architecture(
        blocks=10,
        channels=128,
        policy_channels=32,
        policy_hidden=1024,
        value_channels=4,
        value_hidden=256,
        fusion_hidden=64,
        dropout=0.3,
        head_norm=False,
    ),
}


def preset(name: str) -> Architecture:
    """An architecture by name."""
    if name not in PRESETS:
        raise ValueError(f"there is no architecture {shown(name)}; there are: {', '.join(PRESETS)}.")
    return PRESETS[name]
