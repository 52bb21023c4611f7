"""Records of Leela's training data as an array, of any version."""

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from rookery.arguments import shown
from rookery.data.encoders.leela import Format, check_format
from rookery.lazy_imports import modules_later

if TYPE_CHECKING:
    from rookery.data.training import limits, samples
    from rookery.data.training.binary import leela
else:  # the records have planes of `rookery.data.encoders.leela`
    limits, samples = modules_later("rookery.data.training", "limits samples")
    (leela,) = modules_later("rookery.data.training.binary", "leela")


def leela_records(rows: "samples.ScoredPositions", version: int = 6, input_format: Format = 1) -> NDArray[np.void]:
    """Return the records of training data that Leela's trainer reads, of version 3 to 7: a structured array.

    `rows` are those of complete games, each after the move of the row before it; all need a move and a result, and from
    version 4 on a score. The fields are named as in Leela's sources. From version 5 on, `input_format` may be any of
    `leela_planes`. Version 7 has the short-term values and the next moves that the trainer adds. Their bytes are the
    file; ``write_training`` writes version 6 with input format 1, and ``read_training`` reads all.

    A wrong version or format, or a row that a record cannot hold, raises ValueError.

    >>> from rookery import ScoredPositions, read_pgn
    >>> rows = ScoredPositions.from_games(read_pgn(b"1. e4 { [%eval 0.3] } e5 { [%eval 0.2] } 2. Nf3 1-0"))[1:3]
    >>> leela_records(rows, version=7)["next_idx"]
    array([65535, 65535], dtype=uint16)
    """
    if not isinstance(rows, samples.ScoredPositions):
        raise TypeError(f"rows: {shown(rows)}: expected ScoredPositions")
    if isinstance(version, bool) or version not in leela.RECORDS:
        raise ValueError(f"version: {shown(version)}: expected 3 to 7")
    check_format(input_format)
    if version < leela.FIRST_WITH_FORMAT and input_format != 1:
        raise ValueError(f"input_format: {input_format}: records of version {version} have format 1")
    dropped: dict[str, int] = {}
    has_scores = version >= leela.FIRST_WITH_SCORES
    limits.kept(rows, [limit for limit in leela.LIMITS if has_scores or limit is not limits.NO_SCORE], dropped)
    if dropped:
        raise ValueError(f"rows: {next(iter(dropped))}: expected rows that records can hold")
    return leela.records_of(rows, version, input_format)
