"""Language models that the loop can run: a character toy, n-grams, tables, Qwen3 in two forms."""
