"""The command line: a table of commands, each imported only when it is asked for, and what their ends mean."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module
from typing import Final

import click

__all__ = ["COMMANDS", "FAILED", "REFUSED", "main", "run"]

FAILED: Final = 1
REFUSED: Final = 2
"""Exit status of wrong use and of a refused input."""

COMMANDS: Final = {
    "play": ("server.commands.play:play", "Race a bot in the browser: server, bot and page by one command."),
    "serve": ("server.commands.serve:serve", "Run a server, with bots."),
    "race": ("server.commands.race:race", "Race bots against each other, live in the terminal."),
    "watch": ("server.commands.watch:watch", "Watch a race live in the terminal."),
    "replay": ("server.commands.replay:replay", "Step through a race that is over."),
    "verify": ("server.commands.verify:verify", "Check a replay file without a server."),
    "deal": ("server.commands.deal:deal", "Show the cards that a code deals."),
    "code": ("server.commands.code:code", "Make, check and translate game codes."),
    "apply": ("server.commands.apply:apply", "Show the position after some moves."),
    "solve": ("server.commands.solve:solve", "Say whether a deal can be won, and how."),
    "bench": ("server.commands.bench:bench", "Measure and compare bots on the same deals."),
    "bot": ("server.commands.bot:bot", "Check a bot of your own, and race with it."),
    "bots": ("server.commands.bots:bots", "List the built-in bots."),
    "analyst": ("server.commands.analyst:analyst", "Analyse games and prove deals for a server elsewhere."),
    "load": ("server.commands.load:load", "Put load on a server, and check that nothing was lost."),
    "keyring": ("server.commands.keyring:keyring", "Make and rotate the keys that nodes share."),
    "export": ("server.commands.export:export", "Write the archive as Parquet."),
    "rebuild": ("server.commands.rebuild:rebuild", "Make lobby, results and ratings anew from the races."),
    "config": ("server.commands.config:config", "Show the settings in force and where each came from."),
    "doctor": ("server.commands.doctor:doctor", "Check Redis, ports and caches, and say how to mend them."),
}
"""Name → where the click command is, and its line in the help. The order is that of the help."""


class CommandTable(click.Group):
    """A group that knows its commands by name and help line, and imports the one that is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the table."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import a command; None when the table has no such name."""
        if cmd_name not in COMMANDS:
            return None
        module, name = COMMANDS[cmd_name][0].split(":")
        command = getattr(import_module(module), name)
        assert isinstance(command, click.Command)
        return command

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Leave the options to the usage line, so that the help fits a screen."""
        self.format_commands(ctx, formatter)

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write what the command is for right below the usage, so that the help fits a screen."""
        formatter.write_text(self.help or "")

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the help lines of the table, importing nothing."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in COMMANDS.items()])


@click.group(
    cls=CommandTable,
    no_args_is_help=False,
    options_metavar="[--help] [--version]",
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="fairdeal")
def fairdeal() -> None:
    """Race people and bots on the same deal of a solitaire game."""


def run(arguments: Sequence[str]) -> int:
    """Run one command and return its exit status; a fault is one sentence on stderr."""
    try:
        status = fairdeal.main(list(arguments) or ["--help"], prog_name="fairdeal", standalone_mode=False)
    except click.UsageError as fault:
        where = fault.ctx.command_path if fault.ctx else "fairdeal"
        hint = _set_as(fault.option_name) if isinstance(fault, click.NoSuchOption) else ""
        return _ended(f"{fault.format_message().rstrip('.')}{hint} (see `{where} --help`).", REFUSED)
    except click.ClickException as fault:
        return _ended(fault.format_message(), fault.exit_code)
    except (click.Abort, KeyboardInterrupt):
        return _ended("interrupted", FAILED)
    except BrokenPipeError:
        # Whoever read the output has gone; what Python would flush at its end goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED
    return status if isinstance(status, int) else 0


def _set_as(option: str) -> str:
    """Return how a setting is set that is no option of the command that was given it."""
    from server.settings import Settings, variable

    name = option.lstrip("-").replace("-", "_")
    return f": it is a setting, set {variable(name)}" if name in Settings.__struct_fields__ else ""


def _ended(sentence: str, status: int) -> int:
    click.echo(f"fairdeal: {sentence}", err=True)
    return status


def main() -> None:
    """Run the command line of this process."""
    sys.exit(run(sys.argv[1:]))
