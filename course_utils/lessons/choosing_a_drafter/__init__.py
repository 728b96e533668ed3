"""Room of the elective on who guesses: a lookup, a model, or whichever has done better."""
