"""A class of three at a real hub, on this machine alone.

As root each student is a unix account, made for the test and removed after it; that is done only
where ACCOUNTS_REQUIRED is set.  As anybody else all homes belong to one account.
"""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.stage.node import need_modules
from workshop.rehearsal.hub import opened
from workshop.rehearsal.student import Student

ENGINE = "http://127.0.0.1:9/shared"


@pytest.fixture(scope="session")
def hub():
    need_modules("deploy")  # the hub's proxy
    if os.getuid() == 0 and "ACCOUNTS_REQUIRED" not in os.environ:
        pytest.skip("as root, with ACCOUNTS_REQUIRED=1, three accounts are made and removed again")
    with opened(3, COURSE_ENGINE=ENGINE) as one:
        yield one


@pytest.fixture(scope="session")
def logged_in(hub):
    return [Student(hub.address, name).log_in(hub.password(name)) for name in hub.students]


@pytest.fixture
def class_of_three(logged_in):
    """Students logged in, each with a running server."""
    stopped = [one for one in logged_in if one.ask("status").status_code != 200]
    with ThreadPoolExecutor(3) as pool:
        list(pool.map(Student.start_server, stopped))
    return logged_in
