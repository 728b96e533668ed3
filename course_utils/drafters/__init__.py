"""Drafters, one a module; `named` is the table of all."""
