"""The wire to an engine: it waits so long and takes so much, and tells nobody else.

A timeout of httpx2 is that of one read: a server that sends a byte now and then would hold a
request for ever.  Here the whole answer has that time.
"""

import ipaddress
import ssl
from functools import cache
from time import monotonic, sleep
from typing import Any

import httpx2

LARGEST = 64_000_000  # bytes of an answer
PAUSE = 0.5  # seconds before a request is repeated, doubled each time
LONGEST = 120.0  # seconds: a server that asks for more is not waited for


class Unusable(Exception):
    """An answer that is longer than any of an engine's, or packed so that it might be."""


def address(url: str) -> str:
    """The same without /v1 and / at the end.

    Raises:
        ValueError: no address of a server, or one that holds a password.
    """
    url = url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    example = "one is http://127.0.0.1:8000"
    if "@" in url:  # not shown again: what stands before it may be a secret
        raise ValueError("an engine's address holds no name and no password; " + example)
    try:
        parsed = httpx2.URL(url)
        port = 80 if parsed.port is None else parsed.port
        fits = parsed.scheme in ("http", "https") and parsed.host and 0 < port < 2**16
    except (httpx2.InvalidURL, ValueError):
        fits = False
    if not fits or any(c in "?#" or c.isspace() for c in url):
        raise ValueError(f"{url!r} is no address of a server; {example}")
    return url


class Connection:
    """As many lines to one server as there are requests.

    No redirect is followed, so that prompts and key go nowhere else, and no proxy stands before
    this machine's own ports.
    """

    def __init__(self, url: str, seconds: float, retries: int, key: str):
        self._seconds, self._retries = seconds, retries
        self._client = httpx2.Client(
            base_url=url,
            headers={"accept-encoding": "identity"}
            | ({"authorization": f"Bearer {key}"} if key else {}),
            timeout=seconds,
            verify=_certificates(),
            follow_redirects=False,
            trust_env=not is_this_machine(url),
            # vLLM's server hangs up after 5 seconds; nobody asks on a line that is being closed
            limits=httpx2.Limits(
                max_connections=None, max_keepalive_connections=None, keepalive_expiry=2
            ),
        )

    def asked(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        """Status and content of the answer; asked again where the server is busy or broke off.

        Raises:
            httpx2.TimeoutException: the whole answer did not come in time.
            httpx2.TransportError: no answer, or half of one.
            Unusable: an answer that nobody should read.
        """
        for attempt in range(self._retries):
            pause = PAUSE * 2**attempt
            try:
                status, headers, content = self._once(method, path, body)
            except httpx2.TransportError:
                pass
            else:
                wanted = headers.get("retry-after", "")
                pause = float(wanted) if wanted.isdecimal() else pause
                busy = status >= 500 or status in (408, 409, 429)
                if not busy or pause > LONGEST:
                    return status, content
            sleep(pause)
        status, _, content = self._once(method, path, body)
        return status, content

    def _once(
        self, method: str, path: str, body: dict[str, Any] | None
    ) -> tuple[int, httpx2.Headers, bytes]:
        end, content = monotonic() + self._seconds, bytearray()
        with self._client.stream(method, path, json=body) as response:
            if response.headers.get("content-encoding", "identity") != "identity":
                raise Unusable("the answer is compressed")
            for chunk in response.iter_raw():
                content += chunk
                if len(content) > LARGEST:
                    raise Unusable("the answer is too long")
                if monotonic() > end:
                    raise httpx2.ReadTimeout("the answer takes too long")
        return response.status_code, response.headers, bytes(content)


@cache
def _certificates() -> ssl.SSLContext:
    return httpx2.create_ssl_context()


def is_this_machine(url: str) -> bool:
    host = httpx2.URL(url).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
