"""From files and tables to columns about positions: Arrow in, Arrow out.

features    the columns by name, and the expressions of the query language as columns
batches     picklable functions from record batches to record batches, for any engine that has Arrow
inputs      what an input is, and how it is cut into tasks
lines       FEN, CSV and JSON lines as tables, block by block
parts       the work of one task: it reads a part of an input and writes a part of the output
annotate    all tasks on any executor, and their parts joined to one file
"""

from rookery.data.pipeline import batches as batches
from rookery.data.pipeline.annotate import Annotated as Annotated
from rookery.data.pipeline.annotate import annotate as annotate
