"""The interface of executors, for annotations: importing `concurrent.futures` takes 10 ms."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from concurrent.futures import Executor as Executor
else:

    class Executor(Protocol):
        """An object that runs tasks, such as a ``concurrent.futures.Executor``."""

        def submit(self, task: Callable[..., Any], /, *args: Any, **named: Any) -> Any:
            """Begin a task and return its future."""
