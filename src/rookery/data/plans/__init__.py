"""Lazy plans: scan a source, choose rows, compute columns, and write them; nothing is read before a sink.

plan        `scan` and `Plan`, an immutable record of a source and of steps
steps       the steps, and what each gets and yields
running     the tasks of a plan in one job, and the parts that they leave
verbs       the steps that need all rows: sort, head, shuffle, split, group by, unique
exchanging  how such a step works: its tasks scatter and gather rows
aggregates  partial aggregates of groups of rows, and their merger
ordering    sorted runs, and ranges of them
sampling    random samples of rows
sinks       files and tables; dataset_sink has that of datasets
row_hashes  hashes of rows

Tasks stream ranges of the source to record batches (`rookery.data.pipeline.parts`). Steps that need all rows, such as
sorting, then exchange rows between parts.
"""

from rookery.data.plans.plan import Plan as Plan
from rookery.data.plans.plan import scan as scan
