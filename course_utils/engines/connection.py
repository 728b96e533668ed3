"""HTTP to an engine, with a time limit and without third parties.

The timeout of httpx2 applies to one read: a server that sends a byte now and then could block a
request for ever.  Here it limits the whole answer.
"""

from time import monotonic
from typing import Any

import httpx2

THIS_MACHINE = "localhost", "127.0.0.1", "::1"


def server_address(url: str) -> str:
    """Return the address without /v1 and / at its end.

    Raises:
        ValueError: it is not the address of a server, or it contains a password.
    """
    url = url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    example = "give one like http://127.0.0.1:8000"
    if "@" in url:  # the message leaves it out: the part before @ may be a secret
        raise ValueError("an engine's address must not contain a name or password; " + example)
    try:
        scheme, host = httpx2.URL(url).scheme, httpx2.URL(url).host
    except httpx2.InvalidURL:
        scheme, host = "", ""
    if scheme not in ("http", "https") or not host or any(c in "?# " for c in url):
        raise ValueError(f"{url!r} is not the address of a server; {example}")
    return url


class Connection:
    """Requests to one server, one at a time per thread.

    Redirects are not followed, so that prompts and key go nowhere else, and no proxy is used for
    this machine's own ports.
    """

    def __init__(self, url: str, seconds: float, key: str):
        self._seconds = seconds
        self._client = httpx2.Client(
            base_url=url,
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=seconds,
            follow_redirects=False,
            trust_env=httpx2.URL(url).host not in THIS_MACHINE,
            # vLLM's server hangs up after 5 seconds; a request at that moment would fail
            limits=httpx2.Limits(keepalive_expiry=2),
        )

    def request(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        """Return status and content.

        Raises:
            httpx2.TimeoutException: the response was not complete in time.
            httpx2.TransportError: there was no response, or half of one.
        """
        end, content = monotonic() + self._seconds, bytearray()
        with self._client.stream(method, path, json=body) as response:
            for chunk in response.iter_bytes():
                content += chunk
                if monotonic() > end:
                    raise httpx2.ReadTimeout("the response takes too long")
        return response.status_code, bytes(content)
