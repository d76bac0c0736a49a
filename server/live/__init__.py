"""WebSocket sessions: what clients say is carried out in order, what happens is told to each as it may see it."""
