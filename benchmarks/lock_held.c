/* The share of time that a thread holds Python's lock: a module that looks every 20 us, without the lock.
 *
 * benchmarks/lock_held.py compiles it. It reads the lock's flag in CPython's own structures, which only its internal
 * headers describe: they come with most installations of Python, and differ from version to version. */
#define Py_BUILD_CORE 1
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#if PY_VERSION_HEX >= 0x030C0000
#include "internal/pycore_interp.h"
#else
#include "internal/pycore_runtime.h"
#endif
#include <pthread.h>
#include <time.h>

static pthread_t watcher;
static volatile int stopped;
static long looks, held;
static const volatile int *flag;

static const volatile int *flag_of_lock(void) {
#if PY_VERSION_HEX >= 0x030D0000
    return (const volatile int *)&PyInterpreterState_Get()->ceval.gil->locked;
#elif PY_VERSION_HEX >= 0x030C0000
    return (const volatile int *)&PyInterpreterState_Get()->ceval.gil->locked._value;
#else
    return (const volatile int *)&_PyRuntime.ceval.gil.locked._value;
#endif
}

static void *watch(void *nothing) {
    struct timespec nap = {0, 20000};
    while (!stopped) {
        looks++;
        held += *flag == 1;
        nanosleep(&nap, NULL);
    }
    return nothing;
}

static PyObject *start(PyObject *module, PyObject *none) {
    stopped = 0;
    looks = held = 0;
    flag = flag_of_lock();
    if (pthread_create(&watcher, NULL, watch, NULL)) {
        PyErr_SetString(PyExc_OSError, "lock_held: no thread can be started");
        return NULL;
    }
    Py_RETURN_NONE;
}

static PyObject *stop(PyObject *module, PyObject *none) {
    stopped = 1;
    Py_BEGIN_ALLOW_THREADS
    pthread_join(watcher, NULL);
    Py_END_ALLOW_THREADS
    return Py_BuildValue("ll", held, looks);
}

static PyMethodDef functions[] = {
    {"start", start, METH_NOARGS, "Begin to look at the lock."},
    {"stop", stop, METH_NOARGS, "Return how often the lock was held, and how often it was looked at."},
    {NULL, NULL, 0, NULL},
};
static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, "lock_held_native", NULL, -1, functions};

PyMODINIT_FUNC PyInit_lock_held_native(void) { return PyModule_Create(&definition); }
