"""Ray's tasks behind the interface of ``concurrent.futures.Executor``."""

from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any


class RayExecutor(Executor):
    """An executor whose tasks run on a Ray cluster: the one at `address`, or a local one for ``"local"``.

    ``"auto"`` connects to the cluster that this machine belongs to. Needs ``pip install ray``. A cluster
    that this executor started is stopped by `shutdown`.
    """

    def __init__(self, address: str = "auto", **options: Any) -> None:
        import ray

        self._ray: Any = ray
        self._started = not ray.is_initialized()
        if self._started:
            ray.init(address, log_to_driver=False, **options)
        self._call: Any = ray.remote(_call)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``fn(*args, **kwargs)`` as a task of Ray."""
        future: Future[Any] = self._call.remote(fn, args, kwargs).future()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:  # noqa: ARG002  # an executor's
        """Disconnect from the cluster."""
        if self._started:
            self._ray.shutdown()


def _call(fn: Callable[..., Any], args: Any, kwargs: Any) -> Any:
    return fn(*args, **kwargs)
