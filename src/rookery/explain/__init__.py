"""See it: every step of a technique, from the kernel that runs.

steps     a kernel, read as for an export, run one assignment at a time
source    the line that a step comes from, and the sentence that stands there
wording   expressions as one writes them
page      the steps as pictures and as one HTML page
"""

from rookery.explain.steps import Explanation, Part, Step, explain

__all__ = ["Explanation", "Part", "Step", "explain"]
