"""The machine code of methods: what it reads from boards, moves and sets of squares, and what it makes of results.

A native function (see `rookery.kernel.native`) has a twin: a kernel, and the kinds of its arguments and of its result.

    kinds      what a twin takes and returns: `machine_code`, the decorator of its kernel
    wrappers   the wrapper around a kernel
    values     how wrappers read arguments
    results    which objects they make of results
    rows       what wrappers of boards share: rows that are used again, slots that follow the row
    twins      the machine code of marked functions in a checkout
"""
