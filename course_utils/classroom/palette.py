"""One look for every figure and table of the course.

Colours are those of Okabe & Ito (2008), chosen so that colour-blind readers can
tell them apart; no figure relies on colour alone (see `MARKS`).
"""

DRAFT = "#E69F00"  # orange
TARGET = "#0072B2"  # blue
ACCEPTED = "#009E73"  # green
REJECTED = "#D55E00"  # vermilion
CORRECTION = "#CC79A7"  # purple
BONUS = "#56B4E9"  # sky blue
NEUTRAL = "#5F6368"  # grey, for axes and what is neither

KINDS = {
    "accepted": ACCEPTED,
    "correction": CORRECTION,
    "bonus": BONUS,
    "target": TARGET,
    "rejected": REJECTED,
}

# What tells the kinds apart on a greyscale print: CSS beside the colour.
MARKS = {
    "accepted": "",
    "correction": "font-weight:bold;text-decoration:underline;",
    "bonus": "font-weight:bold;border-bottom:2px dotted;",
    "target": "font-style:italic;",
    "rejected": "text-decoration:line-through;",
}

ANSI = {
    "accepted": "\033[32m",
    "correction": "\033[1;4;35m",
    "bonus": "\033[1;36m",
    "target": "\033[34m",
    "rejected": "\033[9;31m",
}
ANSI_END = "\033[0m"

MEANINGS = {
    "accepted": "drafted and accepted",
    "correction": "correction, after a rejection",
    "bonus": "bonus, after a fully accepted draft",
    "target": "said by the target alone",
    "rejected": "drafted and rejected",
}
