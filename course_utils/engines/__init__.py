"""Engines that serve: the same pair behind a server's door, and what is known of other servers.

`configurations` is what a vLLM server is started with, `client` talks to one that runs,
`counters` reads its /metrics page, `sessions` keeps what it answered; `probed` asks an installed
vLLM what it says to commands, and `shown` lays that beside the articles' lines and has each
engine's rule.  `published` holds what others measured, with the cost line that explains it;
`accelerators` and `calculator` say what a server would bring, and up to which load.  Tables of
facts are files of TOML in data/engines, which `facts` reads.
"""
