"""Models small enough to enumerate: tables, characters, n-grams. No torch."""
