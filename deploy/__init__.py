"""The course for a class, on JupyterHub: see README.md in this folder.

limits.py             what one student may take: memory, threads, hours of idleness
safety.py             what must be set before anybody else can reach the hub
jupyterhub_config.py  the hub, for one machine
student_server.py     what a student's server does before it starts
values.yaml           the same for Kubernetes (Zero to JupyterHub)
"""
