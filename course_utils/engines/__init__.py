"""Engines that serve: the same pair behind a server's door, and what is known of other servers.

`configurations` is what a vLLM server is started with, `client` talks to one that runs,
`counters` reads its /metrics page, `sessions` keeps what it answered.  `published` and `reported`
hold what others measured, the first with the cost line that explains it; `accelerators`,
`calculator` and `goodput` say what a server would bring, at what price and up to which load;
`decisions` what to try first, each line with its evidence.
"""
