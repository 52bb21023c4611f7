"""Explain every step of a technique, from the kernel that runs."""

import rookery.explain.page  # noqa: F401  # adds the view of explanations in notebooks
from rookery.explain.run import Step, StepPart
from rookery.explain.steps import Explanation, explain

__all__ = ["Explanation", "Step", "StepPart", "explain"]
