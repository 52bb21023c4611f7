"""Independent tasks on any executor: threads, processes, Dask, Ray, MPI.

jobs         divided work: ranges of files in, parts in order out; what is kept, resumed and refused
parts        tasks of a job as workers get them, and the files that they write
exchange     rows that tasks scatter into buckets, and further tasks gather
interface    the interface of executors
running      submits a bounded number of tasks, repeats those that were lost, and yields their results
executors    opens an executor by a text such as ``processes:8``
processes    processes of this machine, each of which may be killed
ray          Ray's tasks behind the interface of executors
versions     the code that a process runs, which its tasks carry
differences  what a journal of other work differs in, in a few words
journal      a file of finished tasks, from which work goes on
"""

from typing import TYPE_CHECKING

from rookery.lazy_imports import import_later

if TYPE_CHECKING:
    from rookery.tasks.executors import open_executor
else:  # on first use: work in one process needs none of them
    __getattr__ = import_later(__name__, {"rookery.tasks.executors": "open_executor"})

__all__ = ["open_executor"]
