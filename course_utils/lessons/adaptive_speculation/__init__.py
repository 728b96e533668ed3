"""Room of the lesson on adaptive drafts: when to stop, how long to draft, which drafter guesses."""
