"""From a prompt to a text."""
