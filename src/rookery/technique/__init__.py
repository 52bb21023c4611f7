"""Techniques: ways to find the squares that a sliding piece attacks.

card        what a technique is: a record that stands at the end of its file
answers     how answers that it does not give follow from those that it gives
calls       the object that is made of a card, and the public calls that put questions to it
"""

from rookery.technique.answers import Kernel, Kernels
from rookery.technique.calls import Technique
from rookery.technique.card import Card, Needs, NoTables, Upkeep, itself

__all__ = ["Card", "Kernel", "Kernels", "Needs", "NoTables", "Technique", "Upkeep", "itself"]
