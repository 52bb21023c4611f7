"""One fixture for all: `technique`, every technique in turn."""

import os
import signal

import pytest
from hypothesis import settings

from rookery.technique import Technique
from rookery.techniques import ALL

pytest.register_assert_rewrite("definitions", "edge_cases")

# A shell that runs the tests in the background has them ignore Ctrl-C, and every command they start inherits that:
# the tests that interrupt one would wait for it in vain. A handler of our own is not inherited, and so undoes it.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples in every run: a test suite that fails on some days only helps nobody. HYPOTHESIS_PROFILE=search
# goes looking for new ones.
settings.register_profile("same", derandomize=True, database=None)
settings.register_profile("search", max_examples=5000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


@pytest.fixture(params=ALL, ids=lambda t: t.name)
def technique(request: pytest.FixtureRequest) -> Technique:
    chosen: Technique = request.param
    return chosen
