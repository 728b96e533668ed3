"""Passwords for rehearsals: one per student, derived from a secret of this rehearsal.

No password is stored, and `deploy/safety.py` restricts a hub with this authenticator to this
machine.
"""

import hashlib
import hmac
import os

from jupyterhub.auth import Authenticator

SECRET = "REHEARSAL_SECRET"


class RehearsalAuthenticator(Authenticator):
    """Accept the password that `password` derives."""

    async def authenticate(self, handler, data):
        right = password(data["username"], os.environ[SECRET])
        return data["username"] if hmac.compare_digest(right, data["password"]) else None


def password(name: str, secret: str) -> str:
    """Return the password of one student in one rehearsal."""
    return hmac.new(secret.encode(), name.encode(), hashlib.sha256).hexdigest()
