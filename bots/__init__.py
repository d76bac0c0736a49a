"""Players, solvers, benchmarks: everything that plays; it imports the engine and never the server."""
