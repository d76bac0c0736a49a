"""`python -m server` is `fairdeal`."""

from server.cli import main

main()
