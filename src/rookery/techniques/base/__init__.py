"""Techniques: ways to find the squares that a sliding piece attacks.

card        the description of a technique: a record at the end of its file
answers     answers derived from those that a technique gives
calls       the object made from a card, with the public calls
"""

from typing import TYPE_CHECKING

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery.techniques.base.answers import Kernel, Kernels
    from rookery.techniques.base.calls import Technique
    from rookery.techniques.base.card import Card, Needs, NoTables, Upkeep, Variant, itself
else:  # the rules of chess need `protocol` alone
    __getattr__ = import_later(
        "rookery.techniques.base",
        {
            "rookery.techniques.base.answers": "Kernel Kernels",
            "rookery.techniques.base.calls": "Technique",
            "rookery.techniques.base.card": "Card Needs NoTables Upkeep Variant itself",
        },
    )

__all__ = ["Card", "Kernel", "Kernels", "Needs", "NoTables", "Technique", "Upkeep", "Variant", "itself"]
