"""Makes the yardstick sets of connect_four: python -m bench.yardstick_sets."""
