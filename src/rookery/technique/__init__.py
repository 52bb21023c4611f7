"""Techniques: ways to find the squares that a sliding piece attacks.

card        the description of a technique: a record at the end of its file
answers     answers derived from those that a technique gives
calls       the object made from a card, with the public calls
"""

from rookery.technique.answers import Kernel, Kernels
from rookery.technique.calls import Technique
from rookery.technique.card import Card, Needs, NoTables, Upkeep, Variant, itself

__all__ = ["Card", "Kernel", "Kernels", "Needs", "NoTables", "Technique", "Upkeep", "Variant", "itself"]
