"""Whatever guesses: a model that samples, prompt lookup, several candidates for a place."""
