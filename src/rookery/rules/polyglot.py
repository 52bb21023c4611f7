"""Keys of positions in books of Polyglot's format.

A key is an XOR of constants for the pieces, for castling on either wing, for the file of an en-passant capture, and for
white to move. The capture counts if a pawn of the side to move stands beside the one that moved, whether or not it may
capture. In Chess960, a rook may castle on the king's wing if it is right of its king.

The format is Fabien Letouzey's (Polyglot, 2004). Its 781 constants are facts of the format: its description by H. G.
Muller and Michel Van den Bergh (``book_format.html``) lists them, in this order: 768 for pieces, by kind, colour
(black first) and square; white's king's wing, white's queen's wing, black's king's wing, black's queen's wing; eight
files; white to move. `CONSTANTS` holds them as 64-bit numbers, most significant byte first, in base 64.
"""

import base64
from typing import Any, Final

import numpy as np

from rookery.bitboards.sets import east_one, nort_one, sout_one, west_one
from rookery.kernel import U64, Bits, Word, byte_planes, kernel
from rookery.rules.position import Position
from rookery.rules.zobrist import CASTLING, EN_PASSANT, KEYS, TURN, nibble_keys, nibbles_of

_TEXT: Final = (
    "nTkkfjN3bUEq9zmABaqlx0TbAVAkYjVHnBX3PmKnauJ1g0RlSJwMiTKQrDogMAG/D7utH2EEInnoOpCP8vtgyg1+dl1YdVwQGgg4Is6v4C2WBdXw"
    "4l7DsNAh/1zROi7VQL3xXUpnLjIBE1UUb9VjlV20gyBG89nlI5+LLX/3GcwF0aGuhbSaoWefhI9uj8lxdEm7/4Af7Qt9Ec2xw7et8ILHcJ54HrfM"
    "8yGPHJUQeGwzFHjzr1G75kuzjeXnIZRDqmScbrz9UPyNvZijUq/UC4fSB0uB15IXGfPHUdPpKuG0qzDwYrGav3sFAKxCBHrEyUUsqBoJ2F0kqmxR"
    "TaJ1AEyfNEJ1AbRHFKaP1zyRCEGnG5uDRhy9kwNIi5Ww8YUPY3srNP+TwEAJ0byaPdkKlDV1ZoM0od07c14rl6TEWiMYcnBw8b1ACx/LrNJZvwLn"
    "0xCnws6bZVW/mD/g/l2CRJ900U90VKgkUevcSrm6MDVcgsUF25qw+vz3/oo0MLJBMlOnKbm6Pd6MdMNoCBswdbm8bIcWfDPnfvSPK4MCTiAR1QXU"
    "w1G9f2Vo/KksdqJDTeCw9A8yp7iW1pNGDMN+XULiQMtjaJ8vbSvc2uKRlmFCiAsCNuTZUV8PSliYFxu2OfiQ9Xn5L4iTxbX0c1Y4i2PcNZ2NIxt4"
    "7BbKiuqYrXZTVfkAwqgtxwf7n4VamXFCUJNBeqin7V57y8ONolp/PBn8inaM9LbUY3p3gN7PwNmCSaR67g5B93mtaVUB59HoFKy69Hd9V3bxRba+"
    "zN6hldq/KsggF1L8JMPJTfnI0/a7bikk8DkS6gzibAuVyYDZpJzRMr+/fMTpnWYq9CQ5OSfmrXiRFlw/hTXwQLl0T/FUs/T6X0DYc3KxLDISf+0r"
    "7pVNPHtBH0eahayQmiTqoXCsTNnwTyH1+bidPpmgdcKHs+KytckHsaNm5bjFT0i4rkqTRsw/fPIZIMBNRyZ7vYe/Asa0nirpCSI3rCN/OFn/B/ZO"
    "+O0U0I3o3KnwPMVOnBYzJk20nImz8iw9Cws47TkOX7RNARRLW/6ltHEnaOkeEDKRH6eJhJp0rLlk54yzT4D3oDXa+wRjBNCaCzc4xCFx5kaDAjoI"
    "W5tj65zv+AxQaqz0iYiTQhiBr8mjpwHWZQMIBEB1BkTf05UznNv0p++SfbzwDCDyezL30eA2gOy5/XYg5zFiQwWn6KV9uRt3tYicbhVjCnVKdQoJ"
    "zpVz989GTOyJmi+K9ThjnOcFuCQ8eaD/VYDvf+3myH+Ed2CdeZ6B8FvJPzGGU2uM80KKjJfXN0xgCHtzokZjfP8yhTIEP8rmDMDroJIORJU13TWe"
    "cOsJOxWykMxzoZIZFlkcvVZDbJ/hoaqN76xLcGM7j4G7IVeY1F33r0XyAELyTxdokw+A9OjrdGL/ZxL/z9deoa5iP9Z0aKpw3SxbyEvI2Px+7RIN"
    "VM8t2SL+VFQBFl8cyRgA6Y+5mSmAi9aOasEDZd7EaBRbdgX2G+3jo671MwJDU5YD1sVWAqqWm1xpHMt6qHgy05Lv7lZllCx7PH4Rrt7S1jPK0AT2"
    "IfCFcPQg5WW0FZONfalOPJG4WeWey2NQEM/zM+DtgEoortFAvgu33cXMHYlyT6RWVkj2gPEaJ0EtJVBp8Lfas5vFo473KavU7y8FQwj2oryvIEL1"
    "zFwoWEgEErq39b4qrvOvSlY9/kMZr+Wa5FFJf1JZOAPf8ehA9PB25l8s5vARN5YldH1a87zl0iSGgsEVnaQkPeg2mU8Gb3CzP+CQF03E3hibZxoc"
    "UQOat3EkV8PAej+Awx+0tLRu6cXmSm58s4GaQqvmHIchoAeTOlIqIC3xb3YVmKpPdjxKE3GzaP33k8RnAuCGoNcojgEq640x3jNqKkvBxEsL9pKz"
    "jQefIyxgSnoXcyazSFDnPgPrYGTPxEfx5TyOG7Bco/VkJo2ZmuGCyLyUdOik/EvU/FVYyudVF41Y/E52abl9saTAPf75tbfErMZ8lvxqgtZLhlX7"
    "nGhMtsTSRBeOyX0pF0Vu0GcD350pJOl+xUf1fkKnRE5443ZE58rSnv6aROk2LwX6CL01zDgzZhWTFeXrOhKazpQGG4ceBN913x2fnXhLoBA7ule2"
    "iHG1ndK3re7e0fc/96JV2DvDc/jX9PJEjAzrgdlb6IzSEP+nM29S+P9HKOenQEnawxKscaL2G7bkN/21TypcsH9qNbOH04C9pb94WRa59+BsRToh"
    "e6JITIoP1U7zpnjK2aLjjDmwv33eQ3ui/K9Vwb+KRCQY/PaAVz+llEwFY7ifSVrDQOCHkxoAkw2M/6lBLrZCwWjKOQUyYRafeh7pZ9J1eeKdHWDl"
    "B29bbzgQ45m29luiMglbbUq1+bE1yrYhCd0DiqkLJEmfz6+xd6IloHzCxr1RPl5jTHDjMUNhwMo/aS8S2UGspEsgpFtSj3yGAsWAe1Krkr65YTmJ"
    "nR36LvxVf3NyL/F19XLDSB0SYKURB/6XeiSaV+wMm6IEII/p6Pfy1loRDGBYuSCgDNmkl2WKVphW/SPI+XFaTChMhHudiHquBP6r+722Gct0Lh5l"
    "HGC6g5qWMuZZBK08iBuCoTtRueJQbmdEzZdJJLAYPbVv/Gp5Dtm5FcZu035eEehtWHPUhPZ4ZH41GaxuG4XUiNDyDMXauf5lJdiQIQ0VHYattzYV"
    "qGWlTtzA8BmTxCVmrvmP+5nnr+q+AAcxSMv/CG3fKFp/m2rx6/eLr1hifhoUm7ohLNFuKr15HjPTY+/18Jd5lgzio4w0Sm7tGoBKrbnPp0GQfzBC"
    "HXjF3lAfZe2zA00HN2JK5aSPpumVe69hcAz/TjpsJ5NOMRiK1JUDU2q8o0UIjgSVicQy4PlDruf+vyG4bDuOPjNhOdM2T2/6Rk7lLtYPbc7cMUIi"
    "VpY7DcpBj8AW9Q7fkeUTr+8ZVZFLYJ+TVlYBwDZOMijstTk5iH6BdbrHqaGFMSlLs0TEcDl7ulJl00lU2vPOvbS4Gz+pdRHitCIGEZPW9qcHFYJA"
    "HDhDTXoT8Yu+3E/1vECXsRbFJNJZuXiF4vLqKJkXCl3DEVVEb0IzV+fGqfkyWSjubm+HlNDkNmIosDNDVlwx996J6icw9WEUhBGUFNhz2zkSku1P"
    "e9lOHY4X3rzH2fFoZKdulJR64FPuVuY8yMk4gvlHX186m/VbqR+BytmhH7s9mAjkD9IgY+3Cn8qz8lbYrKCwubAwMai0UW6ENd031YcUSK/p9ggr"
    "BVQuTuv6+jPXJUtZklWrtQ1TIoC5q0zlfy0082k1AdYoKXVRxixY+X3ZSb/NRU+PGcUSarvoP07MK97L3IQrfigZ4jC6iRQuAHUDuKO8lB0KUGHL"
    "6fZ2DjLNgCEJx+VSvHZJL4UvVJNNpVzJgQf8zwZPz1YJiVTVH/9lgCO3DtsZVcS/wzDeQmQw9p1HFe1D6KRcCqjX5Nq3gKCNBXK5dPA84Lu1fS6Y"
    "XhQZx+jZ7L4s89c/L+SxcXDll1ARMXuoeQXnkH+/IeyKH0XsFyXKv8sEWwCWTpFc1eKyBz4ri8vwFtZtvnRE45MooKz4WytPvN5Et0k1P+o5umOx"
    "HdAar81TSGofyoqS/XGfhfx8ldgnNXr6GKapkMizXr3My3AFxrnCjTvbuSxDsX8mqnC1tPiWlaLpTDmlSpgwf7egsXTP9vNu1NuoRymvSK0uGLwa"
    "2XBKaC3glm2vL4scucEdWx5DoH5kly1o3uMzYJRijTjQwgWE28DStquQpVnSczxDNcanL3512Z2Upw9NbO0ZgzdvpyuX/KrL8DC8JHt3SXsyUDsS"
    "hUft37gcy5R5mZzf9wkCy8/+GTlDjpskgpYm44ktldeS+uJCkfKz8WPiLBR7nDQDxni22GAoShxYc4iIUGWa5wmB3NKWqHNtn2V4mmUJpECf84/t"
    "cukFL+R57luZMFeM5/KOzS1J7s1WwHSlgeoX/lVE99d0sUrvez8BlfxvKQ8SFTY1ssDPV39RJtu6XgynenaVbD6vtBM9V3ShHTGrOYobCDgh9Ay0"
    "e0o44yU332KVARNkbR1uA02ol5oAQeipO8NuB491FdddChLyetMQ0X+dGi4evhMn2jo2GxxRV7Hc3X0gkD0MJTaDMzbQaPcHzmg0H3mJM4mrkJAW"
    "jdBfNEOVSzJS3CXltDjCtn+Y5ekQ3NeOOFGkktvCerVEeCK/mzzbZfgso4K2e3iWFntMhL/O0bAEjqxQqRGbYDaf/r0f/3rICQS/RawS+xcYF+7n"
    "rwjakXfdqT0bDKuTbmXHRLVZ6x0E5ekyw3tFs/jW8rrDqdwijKrJ6fO4tmdaZQf/n8R33k7WgdpnN42OzO+Wy23YVtlNJZI2oxnOFbC02zEHOXN1"
    "HxLdXoqOhJ6zJ4Gl4ZJccShSefV0wEvxeQwO/k3aSBU8lJOKnSZtahzAVCx0QPuBZQjE/hMyhQPfSCKf1r97ruQ8rEBIONZfbvZ0jx4VIyjzMY3q"
    "j4QZo0jylr9yyINKWVe1EdegI6cyYLRclOvIq8+1ba6fwQ0PmJmT4N5oojVbk8rmpEz+ea5Ti76dHYT8zjcUJVHSsast37Y2L9fkuecs04xlyluW"
    "t1UiEN1poNirO1RtYE1Rsl+/cOJzqopWT7esnhqMHpkrlBFIqsQKJwPZvqB2Tb6uf6Tzph6ZuW5wqb6LLF6d61fvR0M6k4/uMtKZgSbm24/99a3+"
    "RpNWxQTsn53IdjxbCNGQjD9savhZ2ABVf3zDlCCjpUWb+yJ+vfTFzokDnXnW/Fxcj+iLVzBeKragnoyMNauW3vp+OTmDMldT1rbQ7MYXxpnf6iHq"
    "nnVX47Z8H6SBaAr4yh43hannJOUc/IvtDWgWOdGNhUnRQMrqTtD+fp3JEzXk2/BjRHP10hdh+TpE1a7+U4mOTDkQ2lVzTegYH27DmiaAsSK6oo2X"
    "KYryMchbr6t5g+7TdAhH1WbBoqGmDNiJnhfklkKj5MHttFTnutwIBVC3BMq2AsMpTMMX+5zd0CNmtINdnq/qIiGbl+Jv/IG9Jh5OTAozOp0f4syn"
    "ZRfbkNdQTfqIFu27uVcfoE3Aicgd3AMlJZsn3s8/RoiAHrmq9PXQXBDKskM4tlJcIaQrDjb2Diuk+mgA6zWTgDFz4M6cTNYlfFo2A68MMX0yraqK"
    "JY5agMcgTEuLiJ1iTUSIXfTRRZfmYPhV1DR/ZuyJQcPmme2FsN+0DSRy9iB8LQSEwqHntbRZrrWrT2RRzB1F7GN2dXKuPWF0pZ4L0QFzGigRbQAW"
    "y5SPCSz5yMoFL26fCwkKdWCpaOOr7t2y3eBv8VjvwQsGogaNxuV6ePvZhuAuq4ymPOgC1xShlWQBFvM2fAgo3WJOw5DXS7535hFqx4BEVq8Q9ftT"
    "6+nqKt9DIccDIZo57lh6MEl4f+8Xr5kkoekwDNhSBUhbReUi5LG077ScOzmVCRo21EkK1SbxRDESqPIWr5QYwgAfg3zHNQUkGHe1HlenZNWihTuA"
    "8X9Y7pk+HectNtMQs1mAgM5kplYlL1nPDZ8Eu9I8jhdtETYAG9oEkufkWG4h4L1QJsYZvzsJetrwiPlOjRTe2zC+hG75XP+iOvX29DhxcAdhs/dD"
    "ymcrkenk+hZkyOUxv/U7VSQSYO1K0eh9EGwJuXLS6CJ/uhlUEOXKMHiE2bxstWnYBkff7c2JSiljVz/wPiJHdE/I6VYPkbEjHblW5FAnV3m42RJ0"
    "uenU+6Lr7kfi+/zh2fHzDM2X+wnv7VPXX9ZOay5tAsNgF/Z/qapNINsITpu2S+jYslOWwXDLavfC1bzwmPB2pPeiMi6/hEcIBeabX5TDJR8G+Qzz"
    "PgA+YWplkem5JabNBCGv82G90TB8ZuMAv41RCOJ+DUgkCrV6i4iLIPyHYUuvKH4H7wLN0G/9tDKhCCwEZt9sCoIV5XcAEzLI05u5w6SNts8nOCWW"
    "NDBcFGHPT5TJffk9G2usoq5OElt1j0UMiFcuC5WfWH1QeoNZsGPpYuBF9U1g6O1ywN/10Xtkl4VVMm+f/QgNI22oFLqMkP2bCD9FWBBvcv6B4sWQ"
    "eXYDOjn32VKk7AEydkygS3M+pwX65Pp3tNj3e8PlYWeeIfT5A7M/2Z12XkGftp9t0wwIi6Yepe9dlDN/v69/WxpOSCLrTXpZb/5z6Btjf7Pd+Ve8"
    "Nti5ymTQ4p7qiDizCN2b39lrn2MIfnnlpX0dE+Mo4jDj4rP7HCVZ4w8JRr5yC/Xyb00uqrB3TSYcxgnbRD9k7Fo3EZVBEs9oZJomDtgT8vq39cXK"
    "Zg0yVzgIQe5ZrCx4c/kQo+hGljh3ZxoXk7Yzq/o0afjAwPWmDvTNz8ryHs1Dd7KMVyd3BxmbgXVQbBG52Q6LHdg8wmh6GSVfSinGRloxTNHtLfIS"
    "FiNQl7VjXJX/cpbiIq8AOrZy6BFS52JZa/aCNZrrozrG7MawlE9t4JE037ZsR77Ig6feOWrQR8QwoSEEpbHP26CrQGd8Rdgzr/B4YlCS75UKFtoL"
    "kzjmnAUrjntFWktM/jDj9WsC5jGVrQz4axeyJLrWvyfR4MzSW7nBad4MiaVWua5wUAZeU1ohPPacEWn6J3e4dHjt79aUrx7tbck9lSalDmjul/RT"
    "8GeR7TKrDttpZwPTOmhTx+cHV6cxhlztYSDzfWf++V2SYHiQHysdHxX23Jy2njiollxrZaqRGf8YTMz09DxzKHPyTBP7Sj15SpqA0jVQwjIf1hCc"
    "Nx9352u4QX5r+pquXsBXec0E8/8AGkd44yc1IgZEgMqfkVCL/8/BSgSaf0EGGp5g/La+Q6ny/psI3oocd5fam4+Yh+YHhzWhtbQHHb/HOmYjDjQ9"
    "+6CNM0Ptf1oPrmV9Ooig+7ywXGMhh0uLTS28TxveoS419qjJU8BlxsjmNSjjSh0lDnqNa9awTTt2Ud1+XpAnfnyzni0sBG8iBi3GfbELtFkTLQom"
    "P6nd+2fi8ZkOCbiOGRT3rxDos1rz7qs3nu3sqOJyuTPUxxi8SuiuX4FTbWARcPwgkbU0+IWBigbsgXf4P5AJeBkOcU+tpRVutZK/ObA2SWOJw1DI"
    "k659wawELnD4s4PytJtS5Yeh7mD7FS/j/ybaiT5mbm9priwVO1ROvlRMGfnoBaHikM8kViSzPJ1+0lEX50czQnty8MEKgE0Ytwl0dVfjMG2IHttP"
    "SufWo26128stjVQyFXBkyNHmSd4efyaLijKKHO3+VSwHo67HliTH2oRUfdw+IDyUmQqY/VBx0mMaT/EmFu78ifb3/RQxcUIAMMBbG6My9ByNJja4"
    "FVWnhkbJ/rVdEgkCzOwKc7ScmSFOnSgnNV/EkhnrsClDXcsPRlnSt0OEiiyWPvLJazO+MXT4UZiwWi59Wg9UTdKx+xgDcnBzwuE0scf2qi3lmuph"
    "NSeHuqDXwi+YU+q2O14LNau9zdftXAhgzwXa9ayNd7BJytSM6/SnHnpMEOwhWMSm2ekqoka/cZ4TrpeNCf5VV3MEma+SFUn/TktwW5KQO6T/V3Ii"
    "wU8KOlW2NEz5eq+uuGIiWwVbaWDKwJr73dLNtNr46YKf6Wtftf38XTEyxJgxDLOA2291A+h/u0YhejYOIQKuRm67EUj4VJ4aOqXgDQemmv3MQiYa"
    "xMEYv+eP6q759Iku2WvUOBrz2+Jdj0Xa9bSwsNLe7rSWKs7vqC4chARuPsqvRTzp8F0SloGUmkyWR4HOc0s8hJwu1ECBzl+9Ui4j85JeMZ4XfgD5"
    "/DL3kSvGCmOm87PyIiu/rmFyVgZIYondzD1ngH3HeFuO/fyAivOHMcArqYAfq2TqKaLd9+TZQpMizQZanaBYxnhE8gwkwOMytwAZsCMwA7Wmz+at"
    "1Ya9AcXCF/ZeVjeIXym8K366cm2MlAlLClal8L/jknLXlHaoTuINBp5MEmm6pL83F+/uRbDe5kAdlbCl/PkLxpPL4LaZwlhdZfpPInorbXnV+ehY"
    "KSUE1cK1oD9xRxpvWTACIrRWHgDOL4ZCygcS3Hypcj+7LomIJ4Uzg0fyugjGG7OhQeUOjBUPNh2rnewmn2pBnTgllfRkpT3JJP56yRQt5J//enw9"
    "DDNSSIV/qecKnDLV6uRTBebEIXjEu7kucfHOJJDSCwfxvMPSda/lGuco6Mg8M0B0lvv4OhKIRiSBoVSf1lc9pV+nhnyvNeFJVphuLvPtCRuRfx3V"
    "+IhsYdINjIjI/+ZfMdcdzmSywxDxZbWH34mBkKV+YzndLPOgHvbm27GWHslwzHPZC8JuJOIaazXfDDrXADqT2LKAaWIcmd7TPLiQoc8xRd4K3UKJ"
    "0ORCelUU+3J3xiHMn7Okg2ejTaxDVlUL+NYmqq8nhQk="
)
CONSTANTS: Final = np.frombuffer(base64.b64decode(_TEXT), ">u8").astype(U64)
_CORNERS: Final = (7, 0, 63, 56)  # of the rooks that castle on the king's and the queen's wing, white's first
_LAST_RANK: Final = 56


def _in_order() -> Any:
    """Return the constants in the order of `KEYS`; of the rooks that may castle, those in the corners have one."""
    keys = np.zeros_like(KEYS)
    by_kind = CONSTANTS[:768].reshape(6, 2, 64)
    keys[:CASTLING] = np.concatenate([by_kind[:, 1], by_kind[:, 0]]).reshape(-1)
    keys[[CASTLING + square for square in _CORNERS]] = CONSTANTS[768:772]
    keys[EN_PASSANT:TURN], keys[TURN] = CONSTANTS[772:780], CONSTANTS[780]
    return keys


POLYGLOT_KEYS: Final = nibble_keys(_in_order())
POLYGLOT_PLANES: Final = byte_planes(POLYGLOT_KEYS)
_NIBBLES, _VALUES = 16, 16  # nibbles of a word, and their values


@kernel
def _wings_of_rank(rooks: Bits, king: Bits) -> Bits:
    """Return files a and h if a rook left or right of the king may castle. The king stands there if any may."""
    return (1 if rooks & (king - 1) else 0) | (128 if rooks & ~(king | (king - 1)) else 0)


@kernel
def wings_of(castling: Bits, kings: Bits, white: Bits) -> Bits:
    """Return the corners on the wings where a rook may castle; `castling` are these rooks."""
    first = _wings_of_rank(castling & 0xFF, kings & white & 0xFF)
    return first | _wings_of_rank(castling >> _LAST_RANK, (kings & ~white) >> _LAST_RANK) << _LAST_RANK


@kernel
def polyglot_key_of(p: Position) -> Word:
    """Return the key of a position in Polyglot's books."""
    black = p.turn
    beside = nort_one(p.en_passant) if black else sout_one(p.en_passant)
    target = p.en_passant if (east_one(beside) | west_one(beside)) & p.pawns & p.us else U64(0)
    white = p.them if black else p.us
    words = nibbles_of(p, white, wings_of(p.castling, p.kings, white), black ^ 1, target)
    key: Word = 0
    for n in range(POLYGLOT_KEYS.size // _VALUES):
        k, place = n // _NIBBLES, 4 * (n % _NIBBLES)
        key ^= POLYGLOT_KEYS[_VALUES * n + ((words[k] >> place) & 15)]
    return key
