"""What may not be wrong with a site that is built: a link that leads nowhere, a request outside.

A folder of HTML in, sentences out; nothing is asked of a network.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

_FETCHED = {"script": "src", "img": "src", "iframe": "src", "source": "src", "link": "href"}
_IN_CSS = re.compile(r"(?:url\(|@import )\s*[\"']?([^\"')\s;]+)")
_NOT_FETCHED = {
    "canonical",
    "next",
    "prev",
    "author",
    "license",
    "search",
    "index",
}  # <link rel=...>


@dataclass
class Page(HTMLParser):
    """What one page links to, what it fetches, and the anchors it has."""

    ids: set[str] = field(default_factory=set)
    links: list[str] = field(default_factory=list)
    fetched: list[str] = field(default_factory=list)

    def __post_init__(self):
        super().__init__()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        self.ids |= {given[name] for name in ("id", "name") if name in given}
        fetched = _FETCHED.get(tag)
        if fetched in given and given.get("rel") not in _NOT_FETCHED:
            self.fetched.append(given[fetched])
        elif tag in ("a", "link") and "href" in given:
            self.links.append(given["href"])


def problems(site: Path) -> Iterator[str]:
    """One sentence for each fault of the site in that folder."""
    pages = {path: _read(path) for path in sorted(site.rglob("*.html"))}
    for path, page in pages.items():
        here = path.relative_to(site)
        for link in page.fetched:
            if fault := _fault(link, path, pages, outside=False):
                yield f"{here}: {fault}"
        for link in dict.fromkeys(page.links):
            if fault := _fault(link, path, pages, outside=True):
                yield f"{here}: {fault}"
    for path in site.rglob("*.css"):
        for link in _IN_CSS.findall(path.read_text("utf-8")):
            if _outside(link):
                yield f"{path.relative_to(site)}: fetches {link} from outside"


def _read(path: Path) -> Page:
    page = Page()
    page.feed(path.read_text("utf-8"))
    return page


def _fault(link: str, path: Path, pages: dict[Path, Page], outside: bool) -> str:
    if _outside(link):
        return "" if outside else f"fetches {link} from outside"
    parts = urlsplit(link)
    if parts.scheme:  # data:, mailto:
        return ""
    there = (path.parent / unquote(parts.path)).resolve() if parts.path else path
    if not there.is_file():
        return f"the link {link} leads nowhere"
    anchor = unquote(parts.fragment)
    if anchor and there in pages and anchor not in pages[there].ids:
        return f"{there.name} has no anchor #{anchor}"
    return ""


def _outside(link: str) -> bool:
    return link.startswith("//") or urlsplit(link).scheme in ("http", "https", "ws", "wss")
