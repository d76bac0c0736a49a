"""Bots that are programs of their own: JSON lines over stdin and stdout, in any language."""
