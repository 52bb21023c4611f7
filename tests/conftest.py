"""One fixture for all: `technique`, every technique in turn."""

import os

import pytest
from hypothesis import settings

from rookery.technique import Technique
from rookery.techniques import ALL

pytest.register_assert_rewrite("definitions", "edge_cases")

# The same examples in every run: a test suite that fails on some days only helps nobody. HYPOTHESIS_PROFILE=search
# goes looking for new ones.
settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("search", max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(params=ALL, ids=lambda t: t.name)
def technique(request: pytest.FixtureRequest) -> Technique:
    chosen: Technique = request.param
    return chosen
