"""The steps of a plan, and what each gets and yields.

A streaming step, `Choose` or `Select`, becomes a part of the `Stage` of all tasks that read the source. An `Exchange`
needs all rows: it gets the `Rows` that the stage or another exchange left, and yields other `Rows`. Streaming steps
come first, and each at most once.
"""

from typing import Any, NamedTuple, Protocol, TypeAlias

from rookery.data.pipeline.outputs import Part
from rookery.data.pipeline.stages import Choice
from rookery.data.plans.calls import call_of, columns_of
from rookery.tasks.jobs import Job


class Choose(Choice):
    """The choice of positions, as `Plan.positions` describes it."""

    __slots__ = ()

    def call(self) -> str:
        """Return the call that makes the step."""
        given = {name: value for name, value in self._asdict().items() if value != self._field_defaults[name]}
        return call_of("positions", [given.pop("query")] if self.query is not None else [], given)


class Select(NamedTuple):
    """The columns of the table: names and expressions."""

    columns: tuple[tuple[str, str], ...]

    def call(self) -> str:
        """Return the call that makes the step."""
        return call_of("select", *columns_of(self.columns))


class Rows(NamedTuple):
    """Rows between two steps: a schema, and Arrow streams (``.arrows``) in order, each read by `outputs.batches_of`.

    A part says what must be added to some of its columns, which `batches_of` does.
    """

    schema: Any
    parts: tuple[Part, ...]


class Exchange(Protocol):
    """A step that needs all rows. An implementation is a `NamedTuple` of texts and numbers.

    `name` is that of the verb, for messages. `schema` returns the schema of the result for that of the rows, or raises
    an error that names the bad argument; it is called before anything is read. `run` does the work as tasks of the job
    (``job.run(work, tasks)``), whose parts it writes by ``files.writing(".arrows")``; the order of its rows depends on
    neither executor nor threads.
    """

    @property
    def name(self) -> str:
        """Return the name of the verb."""
        ...

    def call(self) -> str:
        """Return the call that makes the step, as Python: ``sort('ply')``."""
        ...

    def schema(self, schema: Any) -> Any:
        """Return the schema of the result."""
        ...

    def run(self, job: Job, rows: Rows) -> Rows:
        """Do the work."""
        ...


Step: TypeAlias = Choose | Select | Exchange
