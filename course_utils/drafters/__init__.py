"""Drafters, one per module; `named` is the table of all."""
