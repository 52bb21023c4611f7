"""Bytes of files: paths, patterns, stores and open files, packed or not; and files that the library writes.

formats     formats of files, by their first bytes
chunks      bytes that come in chunks, or straight into a buffer
unpack      packed files and other encodings, piece by piece
prefetch    the next pieces, unpacked by a thread
zips        zip archives, read from front to back
streams     all sources as streams of text or tables
file_range  a range of a file, and its text
frames      where the frames of a zstd file and their blocks end
zstd_files  local zstd files, unpacked into the buffers of their readers
ranges      the division of files into ranges
failures    errors of files that are damaged, or hold no games
stores      paths of local files and, through fsspec, of other stores such as s3://
files       atomic replacement of files, and JSON documents with a digest
leftovers   temporary files, and the removal of those left by killed processes
"""
