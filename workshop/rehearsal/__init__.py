"""A class played through on this machine, with a real hub: accounts, the hub, its students."""
