"""HTTP to an engine, with a limit on time and with no third party.

A timeout of httpx2 is that of one read: a server that sends a byte now and then would hold a
request for ever.  Here it limits the whole answer.
"""

from time import monotonic
from typing import Any

import httpx2

THIS_MACHINE = "localhost", "127.0.0.1", "::1"


def server_address(url: str) -> str:
    """The address without /v1 and / at its end.

    Raises:
        ValueError: no address of a server, or one that holds a password.
    """
    url = url.strip().rstrip("/").removesuffix("/v1").rstrip("/")
    example = "one is http://127.0.0.1:8000"
    if "@" in url:  # the message leaves it out: what stands before @ may be a secret
        raise ValueError("an engine's address holds no name and no password; " + example)
    try:
        scheme, host = httpx2.URL(url).scheme, httpx2.URL(url).host
    except httpx2.InvalidURL:
        scheme, host = "", ""
    if scheme not in ("http", "https") or not host or any(c in "?# " for c in url):
        raise ValueError(f"{url!r} is no address of a server; {example}")
    return url


class Connection:
    """Requests to one server, as many at a time as there are threads.

    Redirects are not followed, so that prompts and key go nowhere else, and proxies are not used
    for this machine's own ports.
    """

    def __init__(self, url: str, seconds: float, key: str):
        self._seconds = seconds
        self._client = httpx2.Client(
            base_url=url,
            headers={"authorization": f"Bearer {key}"} if key else {},
            timeout=seconds,
            follow_redirects=False,
            trust_env=httpx2.URL(url).host not in THIS_MACHINE,
            # vLLM's server hangs up after 5 seconds; a request then would meet a closing line
            limits=httpx2.Limits(keepalive_expiry=2),
        )

    def request(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, bytes]:
        """Status and content.

        Raises:
            httpx2.TimeoutException: the whole response did not come in time.
            httpx2.TransportError: no response, or half of one.
        """
        end, content = monotonic() + self._seconds, bytearray()
        with self._client.stream(method, path, json=body) as response:
            for chunk in response.iter_bytes():
                content += chunk
                if monotonic() > end:
                    raise httpx2.ReadTimeout("the response takes too long")
        return response.status_code, bytes(content)
