"""The API against its own description: whatever is sent, the answer is one that the description knows."""

from collections.abc import Iterator

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from server_client import HOST, serving
from starlette.testclient import TestClient

OPERATIONS = [
    "GET /api/games", "GET /api/sessions", "POST /api/sessions", "GET /api/sessions/{id}", "DELETE /api/sessions/{id}",
    "GET /api/sessions/{id}/record", "GET /api/runs", "POST /api/runs", "GET /api/runs/{id}", "DELETE /api/runs/{id}",
    "GET /api/matches", "POST /api/matches", "GET /api/matches/{id}", "DELETE /api/matches/{id}", "POST /api/learn",
]  # fmt: skip
QUIET = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large, HealthCheck.large_base_example]


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    with serving(tmp_path_factory.mktemp("data"), sessions=100) as client:
        yield client


def fuzz(client: TestClient, operation: str, examples: int) -> None:
    schema = schemathesis.openapi.from_dict(client.app.openapi())  # type: ignore[attr-defined]
    method, path = operation.split()
    kinds = [schemathesis.GenerationMode.POSITIVE]
    if method == "POST" or "{" in path:  # there is something that can be wrong
        kinds.append(schemathesis.GenerationMode.NEGATIVE)
    for kind in kinds:

        @given(case=schema[path][method].as_strategy(generation_mode=kind))
        @settings(
            max_examples=examples, deadline=None, suppress_health_check=QUIET, phases=[Phase.generate], database=None
        )
        def run(case: schemathesis.Case) -> None:
            sent = case.as_transport_kwargs(base_url=f"http://{HOST}")
            sent["headers"] = {key: str(value) for key, value in (sent.get("headers") or {}).items()} | {"host": HOST}
            sent.pop("cookies", None)
            if isinstance(sent.get("data"), bytes):
                sent["content"] = sent.pop("data")
            answer = client.request(**sent)
            assert answer.status_code < 500
            declared = schema[path][method].definition.raw["responses"]
            assert str(answer.status_code) in declared or answer.status_code in (404, 405, 421), answer.text
            if answer.status_code >= 400:
                assert answer.json()["sentence"].endswith(".")

        run()


def test_everything_that_can_be_asked_is_known(client: TestClient) -> None:
    paths = client.app.openapi()["paths"]  # type: ignore[attr-defined]
    assert sorted(OPERATIONS) == sorted(f"{method.upper()} {path}" for path, all in paths.items() for method in all)


@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_as_described(client: TestClient, operation: str) -> None:
    fuzz(client, operation, 5)


@pytest.mark.slow
@pytest.mark.parametrize("operation", OPERATIONS)
def test_every_answer_is_as_described_for_long(client: TestClient, operation: str) -> None:
    fuzz(client, operation, 200)
