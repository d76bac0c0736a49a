"""A client of the server, for the built-in bots and for anybody's own: one player, one WebSocket, any races."""

from bots.client.client import Client
from bots.client.faults import Closed, Refused, ServerUnreachable
from bots.client.following import FINAL, Following
from bots.client.http import Http, Player
from bots.client.messages import Messages

__all__ = [
    "FINAL",
    "Client",
    "Closed",
    "Following",
    "Http",
    "Messages",
    "Player",
    "Refused",
    "ServerUnreachable",
]
