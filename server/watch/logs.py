"""Logs: one line an event on stderr, JSON unless a person looks on."""

from __future__ import annotations

import logging
import sys
from typing import Final, TextIO

import structlog
from aiohttp.http import HttpProcessingError

from server.settings import LogLevel

__all__ = ["log_to"]

_LEVELS: Final = {
    LogLevel.DEBUG: logging.DEBUG,
    LogLevel.INFO: logging.INFO,
    LogLevel.WARNING: logging.WARNING,
    LogLevel.ERROR: logging.ERROR,
}


def _ours(record: logging.LogRecord) -> bool:
    """Tell whether a record is of the server's own: bytes that are no HTTP are answered 400 and are no fault of it."""
    return record.exc_info is None or not isinstance(record.exc_info[1], HttpProcessingError)


def log_to(stream: TextIO | None = None, level: LogLevel = LogLevel.INFO) -> None:
    """Send structlog's and the standard library's records to a stream (default: stderr), in colours on a terminal."""
    target = stream or sys.stderr
    person = target.isatty()
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer() if person else structlog.processors.JSONRenderer()
    )
    faults: list[structlog.typing.Processor] = [] if person else [structlog.processors.format_exc_info]
    structlog.configure(
        processors=[*shared, *faults, last],
        wrapper_class=structlog.make_filtering_bound_logger(_LEVELS[level]),
        logger_factory=structlog.WriteLoggerFactory(target),
        cache_logger_on_first_use=False,
    )
    handler = logging.StreamHandler(target)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *faults, last],
        )
    )
    handler.addFilter(_ours)
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(_LEVELS[level], logging.WARNING))
