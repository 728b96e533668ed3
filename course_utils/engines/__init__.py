"""Serving engines: a client, a server's counters, recorded sessions, and the calculator.

`client` talks to a server, `server` in the dialect of each kind; `answer_log` stores the answers;
`counters` reads its /metrics page, `sessions` recorded sessions.  `published` has measurements by
others and a cost line that explains them; `calculator` predicts a server's throughput, and the load
up to which drafts pay.
"""
