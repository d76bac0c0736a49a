"""The commands of `fairdeal`, one module each; `server.cli` has their table."""
