"""The API against its own description: whatever is sent, the answer is one that the description knows."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, settings
from server_client import HOST, serving

PATHS = ("/api/games", "/api/sessions", "/api/sessions/{id}", "/api/sessions/{id}/record", "/api/runs/{id}")
PATHS += ("/api/matches/{id}", "/api/learn", "/api/matches")
"""Not /api/runs: it would train."""
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


@pytest.fixture(scope="module")
def api(tmp_path_factory: pytest.TempPathFactory) -> Iterator[schemathesis.BaseSchema]:
    with serving(tmp_path_factory.mktemp("data"), sessions=100) as client:
        yield schemathesis.openapi.from_asgi("/api/openapi.json", client.app, headers={"host": HOST})


schema = schemathesis.pytest.from_fixture("api")


def check(case: schemathesis.Case) -> None:
    if case.path not in PATHS or (case.path, case.method) == ("/api/matches", "POST"):
        return
    case.call_and_validate(headers={"host": HOST})


@schema.parametrize()
@settings(max_examples=8, deadline=None, suppress_health_check=QUIET)
def test_every_answer_is_as_described(case: schemathesis.Case) -> None:
    check(case)


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=200, deadline=None, suppress_health_check=QUIET)
def test_every_answer_is_as_described_for_long(case: schemathesis.Case) -> None:
    check(case)
