"""Explain every step of a technique, from the kernel that runs."""

from rookery.explain.run import Part, Step
from rookery.explain.steps import Explanation, explain

__all__ = ["Explanation", "Part", "Step", "explain"]
