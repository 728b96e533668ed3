"""The wire to an engine: it waits so long and takes so much, and tells nobody else.

httpx's timeout is that of one read: a server that sends a byte now and then holds a request
for ever.  Here the whole answer has that time.
"""

import ipaddress
import ssl
from collections.abc import Iterator
from functools import cache
from time import monotonic

import httpx

LARGEST = 64_000_000  # bytes of an answer
SENT = {  # openai's client would add the machine's kind, and what OPENAI_* variables say
    "accept", "accept-encoding", "authorization", "connection", "content-length", "content-type",
    "host", "transfer-encoding", "user-agent",
}  # fmt: skip
END = "course_utils.end"  # of a request's extensions: when to give up


class Unusable(httpx.RequestError):
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
        parsed = httpx.URL(url)
        port = 80 if parsed.port is None else parsed.port
        fits = parsed.scheme in ("http", "https") and parsed.host and 0 < port < 2**16
    except (httpx.InvalidURL, ValueError):
        fits = False
    if not fits or any(c in "?#" or c.isspace() for c in url):
        raise ValueError(f"{url!r} is no address of a server; {example}")
    return url


def client(url: str, seconds: float) -> httpx.Client:
    """As many connections as there are requests; no redirect is followed, so that prompts and
    key go nowhere else, and no proxy stands before this machine's own ports."""

    def before(request: httpx.Request) -> None:
        for name in set(request.headers) - SENT:
            del request.headers[name]
        request.headers["accept-encoding"] = "identity"
        request.extensions[END] = monotonic() + seconds

    def after(response: httpx.Response) -> None:
        if response.headers.get("content-encoding", "identity") != "identity":
            raise Unusable("the answer is compressed", request=response.request)
        response.stream = _Bounded(response)

    return httpx.Client(
        timeout=seconds,
        verify=_certificates(),
        follow_redirects=False,
        trust_env=not _is_this_machine(url),
        # vLLM's server hangs up after 5 seconds; nobody asks on a line that is being closed
        limits=httpx.Limits(
            max_connections=None, max_keepalive_connections=None, keepalive_expiry=2
        ),
        event_hooks={"request": [before], "response": [after]},
    )


@cache
def _certificates() -> ssl.SSLContext:
    return httpx.create_ssl_context()


class _Bounded(httpx.SyncByteStream):
    def __init__(self, response: httpx.Response):
        self._stream, self._request = response.stream, response.request

    def __iter__(self) -> Iterator[bytes]:
        length = 0
        for chunk in self._stream:
            length += len(chunk)
            if length > LARGEST:
                raise Unusable("the answer is too long", request=self._request)
            if monotonic() > self._request.extensions[END]:
                raise httpx.ReadTimeout("the answer takes too long", request=self._request)
            yield chunk

    def close(self) -> None:
        self._stream.close()


def _is_this_machine(url: str) -> bool:
    host = httpx.URL(url).host
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")
