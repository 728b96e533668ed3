"""What a hub must know before it starts, above all before anybody else can reach it.

Nothing here has a default that lets someone in: what is missing is said, and the hub stays off.
"""

from collections.abc import Mapping
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

from jupyterhub.app import JupyterHub
from jupyterhub.spawner import SimpleLocalProcessSpawner
from traitlets import TraitError

# Who lets in whoever asks, or lets students in as each other; so does what derives from them.
OPEN_TO_ALL = {
    "DummyAuthenticator": "lets in whoever types a name",
    "SharedPasswordAuthenticator": "lets every student in as any other",
    "TmpAuthenticator": "lets in whoever asks",  # this and the next: packages of their own
    "FirstUseAuthenticator": "lets whoever comes first choose a student's password",
    "NullAuthenticator": "lets nobody in",
}
REHEARSALS = "RehearsalAuthenticator"  # of workshop/rehearsal, for this machine alone
CHOOSE = (
    "Choose who may log in with CLASS_AUTHENTICATOR (pam: the accounts of this machine; or one of "
    "the oauthenticator package); deploy/README.md says how."
)


def check(hub: Mapping[str, object], tls_elsewhere: bool) -> None:
    """May a hub with these settings start?

    Args:
        hub: the settings of JupyterHub as they will be, command line included: `bind_url` or
            `ip`, `authenticator_class`, `spawner_class`, `ssl_cert`, `ssl_key`.
        tls_elsewhere: does a proxy in front of the hub speak HTTPS?

    Raises:
        ValueError: it may not; why, and what to do.
    """
    authenticator = the_class("authenticator_class", hub)
    for base in authenticator.__mro__:
        if base.__name__ in OPEN_TO_ALL:
            raise ValueError(
                f"the authenticator {authenticator.__name__!r} {OPEN_TO_ALL[base.__name__]}. "
                f"{CHOOSE}"
            )
    where = address(hub)
    if is_loopback(where):
        return
    begin = f"the hub would listen on {where or 'every address'}, where others can reach it, "
    if not hub.get("authenticator_class"):
        raise ValueError(f"{begin}and no authenticator is chosen. {CHOOSE}")
    if any(base.__name__ == REHEARSALS for base in authenticator.__mro__):
        raise ValueError(f"{begin}with the authenticator of the rehearsals. {CHOOSE}")
    if issubclass(the_class("spawner_class", hub), SimpleLocalProcessSpawner):
        raise ValueError(
            f"{begin}but all students would share one account and read each other's homes. "
            "Start it as root, with an account for each student, or use containers; "
            "deploy/README.md has both."
        )
    if not tls_elsewhere and not (hub.get("ssl_cert") and hub.get("ssl_key")):
        raise ValueError(
            f"{begin}and passwords would travel unencrypted. Set CLASS_CERT and CLASS_KEY, or "
            "CLASS_BEHIND_TLS=1 if a proxy in front of the hub speaks HTTPS."
        )


def address(hub: Mapping[str, object]) -> str:
    """The host that the hub's proxy will listen on; "" is every one."""
    if hub.get("ip") is not None:
        return str(hub["ip"])
    url = urlsplit(str(hub.get("bind_url") or "http://:8000"))
    return "localhost" if url.scheme.endswith("+unix") else url.hostname or ""  # a socket is a file


def is_loopback(host: str) -> bool:
    """Is it out of reach from other machines?"""
    if host == "localhost":
        return True
    try:
        return ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def the_class(setting: str, hub: Mapping[str, object]) -> type:
    """The class that the hub will use: its own look-up, which knows "Dummy" and "a.b.MyClass".

    Raises:
        ValueError: the hub would find none.
    """
    trait = getattr(JupyterHub, setting)
    try:
        return trait.validate(None, hub.get(setting) or trait.default_value)
    except TraitError as error:
        said = str(error).removesuffix(".")
        raise ValueError(f"{said}. Is that the class, and is its package installed?") from error


def somebody_may_log_in(settings: Mapping[str, Mapping[str, object]]) -> None:
    """A hub that lets nobody in says so at once, not to each student who tries.

    Raises:
        ValueError: no student is named, nor an instructor, nor another way to let them in.
    """
    ways = [v for k, v in settings.items() if k.endswith("Authenticator")]
    allow = ("allow_all", "allowed_", "admin_users", "allow_existing_users")
    if not any(way.get(key) for way in ways for key in way if key.startswith(allow)):
        raise ValueError(
            "nobody may log in: set CLASS_STUDENTS to a file with a student's name a line, and "
            "CLASS_INSTRUCTORS to names with commas between."
        )


def students(path: str | None) -> set[str]:
    """The names in the file of CLASS_STUDENTS; none if it is not set."""
    return names(Path(path).read_text("utf-8")) if path else set()


def names(text: str) -> set[str]:
    """The students of a class list: a name a line, # before a remark."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return {line for line in lines if line}
