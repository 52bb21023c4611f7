"""See it: every step of a technique, from the kernel that runs.

values    words and what they are: boards, numbers, squares
run       a program of functions, run one assignment at a time
steps     a technique's kernel, read as for an export, and its run
multiplication    that of a magic look-up: shifted copies of the factor, and who shares a slot
source    the line that a step comes from, and the sentence that stands there
wording   expressions as one writes them
page      the steps as pictures and as one HTML page
"""

from rookery.explain.run import Part, Step
from rookery.explain.steps import Explanation, explain

__all__ = ["Explanation", "Part", "Step", "explain"]
