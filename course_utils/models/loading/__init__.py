"""From a folder or a hub id to a pair of models that fits this machine."""
