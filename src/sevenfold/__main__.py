"""`python -m sevenfold` is the command line."""

from sevenfold.cli import main

main()
