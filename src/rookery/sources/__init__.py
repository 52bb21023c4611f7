"""Bytes of files: paths, patterns, stores and open files, packed or not; and files that the library writes.

streams     all sources as streams of text or tables
formats     formats of files, by their first bytes
chunks      bytes that come in chunks, or straight into a buffer; chunks that a thread reads ahead
unpack      packed files and other encodings, piece by piece; frames of zstd; files that pack what is written to them
zips        zip archives, read from front to back
ranges      the division of files into ranges
file_range  a range of a file, and its text
identity    the identity of a file that several tasks read
failures    errors of files that are damaged, change, or hold no games
stores      paths of local files and, through fsspec, of other stores such as s3://
files       atomic replacement of files, and JSON documents with a digest
leftovers   temporary files, and the removal of those left by killed processes
disk        the operations by which files of this machine are opened, made, renamed, locked and removed
"""
