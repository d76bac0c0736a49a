"""A node: sockets, HTTP, the store on Redis, the command line and the page."""
