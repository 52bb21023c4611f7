# The files that users install: .ci/run builds them as a release does, compares what they say of themselves, and installs
# them. It sources this file. $work is a folder for logs and files.

# The last line that each installation must print, and the command that prints it.
first_answer="20 moves without Numba"
first_question='import sys, rookery; moves = len(list(rookery.Board().legal_moves))
print(moves, "moves", "with" if "numba" in sys.modules else "without", "Numba")'

# A source archive, a wheel of Python alone that is built from it, and one with machine code for the best family of this
# CPU and for the one that has the techniques. The releases' wheels have all families.
build_files() {
    rm -rf .venv-wheel
    "${PYTHON:-python3}" -m venv .venv-wheel
    .venv-wheel/bin/pip install -q build uv
    .venv-wheel/bin/python -m build --sdist --outdir "$work/files" . >/dev/null
    .venv-wheel/bin/pip wheel -q --no-deps -w "$work/files" "$work"/files/*.tar.gz
    ROOKERY_PRECOMPILE=1 ROOKERY_PRECOMPILE_FAMILIES="best x86-64-v3" \
        .venv-wheel/bin/pip wheel -q --no-deps -w "$work/dist" "$work"/files/*.tar.gz
    cp "$work"/dist/*.whl "$work/files"
    ls -l "$work/files"
    .venv-wheel/bin/python .ci/metadata.py "$work/files"
}

# Run a command that asks the first question. Fail unless the answer is right.
answers() {
    local answer
    answer=$("$@" -I -c "$first_question")
    [ "$answer" = "$first_answer" ] || { echo "expected '$first_answer', got '$answer': $*" >&2; return 1; }
    echo "$answer"
}

# In a container that has Python alone. Where no daemon of Docker runs, a new virtual environment stands in.
install_in_container() {
    if docker info >/dev/null 2>&1; then
        echo "installed by pip in an empty container:"
        docker run --rm -v "$work/dist:/dist:ro" -e QUESTION="$first_question" python:3.12-slim \
            sh -c 'pip install -q /dist/*.whl && python -I -c "$QUESTION"' | tee "$work/answer"
        grep -qx "$first_answer" "$work/answer"
    else
        echo "installed by pip in a new virtual environment, since no daemon of Docker runs:"
        "${PYTHON:-python3}" -m venv "$work/pip"
        "$work/pip/bin/pip" install -q "$work"/dist/*.whl
        answers "$work/pip/bin/python"
    fi
}

# By uv: an installation, and a project that locks the package with its extra, for every platform and Python.
install_by_uv() {
    local uv="$PWD/.venv-wheel/bin/uv" lock="$work/locked"
    "$uv" venv -q --python "$(command -v "${PYTHON:-python3}")" "$work/uv"
    "$uv" pip install -q --python "$work/uv" "$work"/dist/*.whl
    echo "installed by uv pip:"
    answers "$work/uv/bin/python"
    mkdir "$lock"
    cat >"$lock/pyproject.toml" <<END
[project]
name = "locked"
version = "0"
requires-python = ">=3.11,<3.14"
dependencies = ["rookery"]
optional-dependencies = { compile = ["rookery[compile]"] }

[tool.uv]
find-links = ["$work/files"]
END
    (cd "$lock" && "$uv" lock -q --python "$work/uv/bin/python" && "$uv" lock -q --check && "$uv" sync -q --locked)
    echo "installed by uv sync from a lock:"
    answers "$lock/.venv/bin/python"
}

# With the wheel that has machine code and without Numba: kernels, native functions and what calls them most.
# ROOKERY_CI_WITHOUT_NUMBA names other files or folders: `tests` is the whole suite. What needs a compiler is skipped and
# says so; the tests left out are counted, and the summary shows their number.
without_numba="tests/bitboards tests/board tests/kernel tests/pgn tests/positions tests/techniques"

tests_without_numba() {
    local folders=${ROOKERY_CI_WITHOUT_NUMBA:-$without_numba}
    rm -rf .venv-without-numba
    "${PYTHON:-python3}" -m venv .venv-without-numba
    .venv-without-numba/bin/pip install -q "$(ls "$work"/dist/*.whl)[test-without-numba]"
    .venv-without-numba/bin/python -c 'import importlib.util, sys; sys.exit(bool(importlib.util.find_spec("numba")))'
    left_out_without_numba $folders
    .venv-without-numba/bin/python -m pytest -q -n auto --dist worksteal $folders
}

# Print the number of tests that are not in these files and folders, as pytest prints what was skipped.
left_out_without_numba() {
    local ignored collected
    ignored=$(printf -- '--ignore=%s ' "$@")
    collected=$(.venv-without-numba/bin/python -m pytest -q --collect-only $ignored tests | grep -c '^tests.*::' || true)
    [ "$collected" = 0 ] ||
        echo "SKIPPED [$collected] tests: not in $*; ROOKERY_CI_WITHOUT_NUMBA=tests runs all"
}

wheels() {
    build_files
    install_in_container
    install_by_uv
}
