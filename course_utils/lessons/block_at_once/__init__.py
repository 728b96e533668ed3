"""The elective on drafts whose guesses all come of one pass."""
