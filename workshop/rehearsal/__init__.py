"""Rehearsal of a class on this machine with a real hub: accounts, hub, students."""
