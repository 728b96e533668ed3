"""Engines that serve: the same pair behind a server's door, and what is known of other servers.

`client` talks to a server that runs, `counters` reads its /metrics page, `sessions` keeps what it
answered; `articles` has the articles' lines about engines, `shown` lays them beside what works
today.  `published` holds what others measured, with the cost line that explains it;
`accelerators` and `calculator` say what a server would bring, and up to which load.  Tables of
facts are files of TOML in data/engines, which `facts` reads.
"""
