"""HTTP to an engine, with limits on time and size and without third parties.

The timeout of httpx2 applies to one read: a server that sends a byte now and then could block a
request for ever.  Here it limits connecting, headers and body together.
"""

import re
from ipaddress import ip_address
from queue import Empty, SimpleQueue
from socket import gethostname
from threading import Thread
from time import monotonic
from typing import Any

import httpx2

LARGEST_ANSWER = 64_000_000  # bytes; vLLM's page of counters has about one million
ENDPOINT = re.compile(r"/v1(/(chat/)?completions|/models)?/*$")


class UnreadAnswer(Exception):
    """The answer is too large, or compressed, which was not requested."""


def on_this_machine(host: str) -> bool:
    """Return whether `host` is a name or an address of this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() in ("localhost", gethostname().lower())


def server_address(url: str) -> str:
    """Return the address without an endpoint's path; 0.0.0.0, which servers print, is loopback.

    Raises:
        ValueError: it is not the address of a server, or it contains a password.
    """
    url = ENDPOINT.sub("", url.strip()).rstrip("/")
    example = "give one like http://127.0.0.1:8000"
    if "@" in url:  # the message leaves it out: the part before @ may be a secret
        raise ValueError("an engine's address must not contain a name or password; " + example)
    try:
        scheme, host = httpx2.URL(url).scheme, httpx2.URL(url).host
    except httpx2.InvalidURL:
        scheme, host = "", ""
    if scheme not in ("http", "https") or not host or any(c in "?# " for c in url):
        raise ValueError(f"{url!r} is not the address of a server; {example}")
    return re.sub(r"//(0\.0\.0\.0|\[::\])(?=:|/|$)", "//127.0.0.1", url)


class Connection:
    """Requests to one server, one at a time per thread.

    Redirects are not followed, so that prompts and key go nowhere else, and no proxy is used for
    this machine's own ports.

    Raises:
        ValueError: a proxy or a certificate file of the environment cannot be used.
    """

    def __init__(self, url: str, seconds: float, key: str):
        self._seconds = seconds
        headers = {"accept-encoding": "identity"}
        if key:
            headers["authorization"] = f"Bearer {key}"
        try:
            self._client = httpx2.Client(
                base_url=url,
                headers=headers,
                timeout=seconds,
                follow_redirects=False,
                trust_env=not on_this_machine(httpx2.URL(url).host),
                # vLLM's server hangs up after 5 seconds; a request at that moment would fail
                limits=httpx2.Limits(keepalive_expiry=2),
            )
        except (ImportError, ValueError, OSError) as error:  # of a proxy or a certificate file
            raise ValueError(
                "the network settings of this environment (ALL_PROXY, HTTPS_PROXY, HTTP_PROXY, "
                f"SSL_CERT_FILE) cannot be used: unset them for this command ({error})"
            ) from error

    def request(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        """Return status and content.

        Raises:
            httpx2.TimeoutException: the response was not complete in time.
            httpx2.TransportError: there was no response, or half of one.
            UnreadAnswer: it is larger than `LARGEST_ANSWER`, or compressed.
        """
        end, answer = monotonic() + self._seconds, SimpleQueue[Any]()

        def fetch() -> None:
            content = bytearray()
            try:
                with self._client.stream(method, path, json=body) as response:
                    if "content-encoding" in response.headers:
                        raise UnreadAnswer("its answer is compressed")
                    for chunk in response.iter_raw():
                        content += chunk
                        if len(content) > LARGEST_ANSWER:
                            raise UnreadAnswer(f"its answer exceeds {LARGEST_ANSWER:,} bytes")
                        if monotonic() > end:  # nobody waits any more
                            return
                answer.put((response.status_code, bytes(content)))
            except Exception as error:
                answer.put(error)

        Thread(target=fetch, daemon=True).start()  # no timeout covers names and single headers
        try:
            result = answer.get(timeout=self._seconds)
        except Empty:
            raise httpx2.ReadTimeout("the response takes too long") from None
        if isinstance(result, Exception):
            raise result
        return result
