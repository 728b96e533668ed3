"""Engines that serve: the same pair behind a server's door, and what is known of other servers.

`configurations` is what a vLLM server is started with, `client` talks to one that runs,
`counters` reads its /metrics page, `sessions` keeps what it answered.
"""
