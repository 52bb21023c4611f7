# What the tests of .ci/run need beside .venv-test, and the report of what was skipped. .ci/run sources this file.
#
# $work is a folder for logs. ROOKERY_CI_OPTIONAL names what may be missing, such as "stockfish engines". The names are
# those of the programs below, and: engines, tensors, cuda, python-chess. Anything else that cannot be installed fails the
# run.

# Programs of the system, and Debian's packages that have them.
programs="stockfish:stockfish pgn-extract:pgn-extract chromium:chromium firefox-esr:firefox-esr node:nodejs zstdcat:zstd"

# Say that something is not installed. That is a failure unless ROOKERY_CI_OPTIONAL names it.
not_installed() {
    case " ${ROOKERY_CI_OPTIONAL-} " in
    *" $1 "*) echo "$1 is not installed; ROOKERY_CI_OPTIONAL allows that" | tee -a "$work/not-installed" ;;
    *)
        echo "$1 is not installed, and tests need it. If they may be skipped, name it in ROOKERY_CI_OPTIONAL." >&2
        return 1
        ;;
    esac
}

# Debian keeps games where not every PATH looks.
is_program() { command -v "$1" >/dev/null || [ -x "/usr/games/$1" ]; }

# A real engine, a judge of queries, two browsers, Node and a program that unpacks files.
system_packages() {
    local pair failed=0 updated=""
    for pair in $programs; do
        is_program "${pair%%:*}" && continue
        if command -v apt-get >/dev/null; then
            echo "installing ${pair##*:}"
            if [ -z "$updated" ]; then
                apt-get update -qq >/dev/null || true # what cannot be found is missing below
                updated=yes
            fi
            apt-get install -y -qq --no-install-recommends "${pair##*:}" >/dev/null || true
        fi
        is_program "${pair%%:*}" || not_installed "${pair%%:*}" || failed=1
    done
    return "$failed"
}

# One environment for the engines, PyTorch and JAX: the tests run JAX in an interpreter of its own. 6 GB on disk: on
# Linux, PyTorch's wheel needs NVIDIA's libraries. Most of these files are never imported: nothing is compiled for them.
install_extras() {
    local failed=0
    python3 -m venv .venv-extras
    .venv-extras/bin/pip install -q --no-compile -e ".[engines,test]" || not_installed engines || failed=1
    .venv-extras/bin/pip install -q --no-compile -e ".[jax,test,torch]" || not_installed tensors || failed=1
    return "$failed"
}

# NVIDIA's compiler, about 125 MB.
install_cuda() {
    .venv-test/bin/pip install -q -e ".[cuda]" || not_installed cuda
}

# The sources of python-chess. Its own tests judge rookery.compat, and its tables are probed; neither is kept here.
download_python_chess() {
    local version
    version=$(sed -n 's/^VERSION: Final = "\(.*\)"$/\1/p' tests/shared/python_chess_source.py)
    if .venv-test/bin/pip download -q --no-binary chess --no-deps --dest "$work" "chess==$version" &&
        tar -xzf "$work/chess-$version.tar.gz" -C "$work"; then
        export ROOKERY_PYTHON_CHESS="$work/chess-$version"
    else
        not_installed python-chess
    fi
}

# Run something, and keep what it prints.
logged() {
    "${@:2}" 2>&1 | tee "$work/$1.log"
}

# Run something beside the steps that follow, and keep what it prints for `finish`.
begin() {
    "${@:2}" >"$work/$1.log" 2>&1 &
    echo $! >"$work/$1.pid"
}

# Wait for it, print its output, and fail if it failed.
finish() {
    local status=0
    wait "$(cat "$work/$1.pid")" || status=$?
    cat "$work/$1.log"
    return "$status"
}

# What was not installed, and for each step that ran tests its result and the reasons for which tests were skipped.
summary() {
    local log
    [ ! -e "$work/not-installed" ] || cat "$work/not-installed"
    for log in "$work"/*.log; do
        # pytest's last line, and lines like `SKIPPED [2] tests/test_x.py:7: why`, with or without the line number.
        awk -v step="$(basename "$log" .log)" '
            /^=* ?[0-9]+ (passed|failed|skipped|error|deselected).* in [0-9]/ { gsub(/^=+ | =+$/, ""); result = $0 }
            /^SKIPPED \[[0-9]+\] / {
                number = substr($2, 2) + 0
                reason = $0
                sub(/^SKIPPED \[[0-9]+\] [^ ]+: /, "", reason)
                if (!(reason in count)) order[++reasons] = reason
                count[reason] += number
            }
            END {
                if (result == "") exit
                print step ": " result
                for (i = 1; i <= reasons; i++) printf "    %5d skipped: %s\n", count[order[i]], order[i]
            }
        ' "$log"
    done
}
