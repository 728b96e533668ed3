"""The elective on structured output: a grammar in the loop, and what it asks of the draft."""
