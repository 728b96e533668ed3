"""What guesses tokens: each takes a text and returns a draft."""
