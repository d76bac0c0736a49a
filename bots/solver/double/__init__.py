"""The exact solver of Double Solitaire: kernels, and the lines they find played through the engine."""
