"""`python -m analysis.cli` is the command `mournival`."""

from analysis.cli import main

main()
