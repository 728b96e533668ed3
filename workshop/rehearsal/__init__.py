"""A class played through on this machine, with a real hub: who logs in, works, and is killed.

authenticator.py  a password for each student, made for this one rehearsal
accounts.py       unix accounts for the students, and a Python that they can run
hub.py            the hub: started, killed, started again
student.py        what a student does: log in, run a lesson, save, come back
memory.py         what a student's processes hold, shared pages counted once
session.py        lessons for all of them at once, and the figures
"""
