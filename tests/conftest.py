"""One fixture for all: `technique`, every technique in turn."""

import pytest

from rookery.technique import Technique
from rookery.techniques import ALL

pytest.register_assert_rewrite("definitions")


@pytest.fixture(params=ALL, ids=lambda t: t.name)
def technique(request: pytest.FixtureRequest) -> Technique:
    chosen: Technique = request.param
    return chosen
