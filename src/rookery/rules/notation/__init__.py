"""Compiled readers and writers of FEN and SAN, and the operations of EPD.

start          the start positions of chess and of Chess960
fen            the strict reader of FEN and EPD
fen_words      kernels that read fields, numbers and operations
fen_reasons    error messages for refused FENs
fen_writer     the writer of FEN
epd            the operations of an EPD
san_spelling   the parser of move texts, which needs no position
san_reader     the reader of SAN
san_writer     the writer of SAN
"""
