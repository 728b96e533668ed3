"""Engines that serve: a client and a server's counters, recorded sessions, and the calculator.

`client` speaks to a server, `server` in each kind's own words, `answer_log` keeps its answers;
`counters` reads its /metrics page, `sessions` what was recorded.  `articles` has the articles'
claims about engines.  `published` holds what others measured, with the cost line that explains it;
`accelerators` and `calculator` say what a server would bring, and up to which load.
"""
