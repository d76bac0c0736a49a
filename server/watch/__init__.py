"""What the people who run the server see: metrics and logs."""
