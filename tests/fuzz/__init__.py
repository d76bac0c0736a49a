"""What comes from outside and may be anything: each reader gives a value or its own refusal, never another fault."""
