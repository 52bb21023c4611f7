"""Dask's tasks behind the interface of ``concurrent.futures.Executor``."""

import asyncio
import contextlib
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Executor, Future
from typing import Any, Final

from rookery.tasks.signals import signals_held

_LOGGERS: Final = [logging.getLogger(f"distributed.{name}") for name in ("client", "batched", "core", "comm")]
_PATIENCE: Final = 30  # seconds until a scheduler must answer, as long as Dask tries to connect


class DaskExecutor(Executor):
    """An executor whose tasks run on the workers of a Dask scheduler.

    `address` is the scheduler's address, such as ``"tcp://host:8786"``, or a number of worker processes to start on
    this machine. Needs ``pip install 'dask[distributed]'``.

    The executor that Dask itself offers, `Client.get_executor`, sets results of futures that were cancelled, and its
    futures stay unfinished if the connection breaks while a result is fetched. Both print tracebacks after Ctrl-C.
    """

    def __init__(self, address: str) -> None:
        from distributed import Client

        options: dict[str, Any] = {"address": address}
        if address.isdecimal():  # workers would log tasks that are cancelled as warnings
            options = {"n_workers": int(address), "threads_per_worker": 1, "silence_logs": logging.ERROR}
        else:
            _wait_for_scheduler(address)
        self._deliveries: set[Future[None]] = set()  # one for each task whose result is still to come
        self._is_cancelling = False
        for logger in _LOGGERS:
            logger.addFilter(self._is_news)
        try:
            with signals_held():  # Dask waits for ever if it is interrupted while it starts or stops workers
                self._client: Any = Client(**options, set_as_default=False)
        except KeyboardInterrupt:
            self.shutdown(wait=False)
            raise

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Run ``fn(*args, **kwargs)`` as a task of Dask."""
        task = self._client.submit(fn, *args, **kwargs, pure=False)
        future: Future[Any] = Future()
        future.add_done_callback(lambda done: self._cancel(task) if done.cancelled() else None)
        delivery = asyncio.run_coroutine_threadsafe(_deliver(task, future), self._client.loop.asyncio_loop)
        self._deliveries.add(delivery)
        delivery.add_done_callback(self._deliveries.discard)
        return future

    def _cancel(self, task: Any) -> None:
        self._is_cancelling = True
        with contextlib.suppress(Exception):  # of a client whose scheduler died
            task.cancel()

    def _is_news(self, record: logging.LogRecord) -> bool:
        """Filter what Dask logs: it fetches results in groups, and warns if one of a group was cancelled meanwhile.

        It also logs that a scheduler has died, which is an error of the next task.
        """
        text = str(record.msg)
        is_known = text.startswith(("Batched Comm Closed", "Failed to reconnect to scheduler"))
        return not (is_known or (self._is_cancelling and text.startswith("Couldn't gather")))

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Disconnect from the scheduler, after all tasks if `wait` is True; the others are cancelled."""
        if wait and not cancel_futures:
            for delivery in list(self._deliveries):
                delivery.result()
        self._is_cancelling = True
        with signals_held():
            self._end_deliveries()
            self._client.close()
        for logger in _LOGGERS:
            logger.removeFilter(self._is_news)

    def _end_deliveries(self) -> None:
        """Cancel what waits for results that will not come, or the loop would end before it and complain."""
        for delivery in list(self._deliveries):
            delivery.cancel()
        with contextlib.suppress(Exception):
            asyncio.run_coroutine_threadsafe(asyncio.sleep(0.01), self._client.loop.asyncio_loop).result(_PATIENCE)


async def _deliver(task: Any, future: Future[Any]) -> None:
    """Give the result of a task to its future, unless that was cancelled."""
    result, failure = None, None
    try:
        result = await task.result()
    except Exception as error:
        failure = error
    if not future.set_running_or_notify_cancel():
        return
    if failure is None:
        future.set_result(result)
    else:
        future.set_exception(failure)


def _wait_for_scheduler(address: str) -> None:
    """Wait for an answer of a scheduler, and raise OSError if there is none. Ctrl-C can interrupt this.

    Dask's client may never end if it is interrupted while it connects.
    """
    from distributed import Security, rpc

    async def ask() -> None:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as scheduler:
            await asyncio.wait_for(scheduler.identity(), _PATIENCE)

    def answer() -> None:
        try:
            answered.set_result(asyncio.run(ask()))
        except TimeoutError:
            answered.set_exception(OSError(f"no answer within {_PATIENCE} s: expected a Dask scheduler"))
        except Exception as error:
            answered.set_exception(error)

    answered: Future[None] = Future()
    threading.Thread(target=answer, daemon=True).start()
    answered.result()
