"""Serving engines: a client, a server's counters, recorded sessions, and the calculator.

`client` talks to a server, `server` in the dialect of each kind; `answer_log` stores the answers;
`counters` reads its /metrics page, `sessions` recorded sessions.  `articles` has the articles'
claims about engines.  `published` has measurements by others and a cost line that explains them;
`accelerators` and `calculator` predict a server's throughput, and the load up to which drafts pay.
"""
