"""This elective draws no figure."""

PICTURES: dict = {}
