"""What spans races, read from Redis: results, ratings, ladders, codes; all of it can be made anew from the races."""
