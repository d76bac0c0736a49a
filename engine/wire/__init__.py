"""The messages of the WebSocket and their two codings."""
