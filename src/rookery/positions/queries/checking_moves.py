"""The legal moves that may give check, about one in 20, found without making them."""

from typing import Final

from rookery.kernel import entry_of

may_check: Final = entry_of("rookery.positions.queries.checking_move_kernels", "may_check")
