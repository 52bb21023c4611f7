"""Search for the shortest formulas of sliding attacks, and record the answers.

    python research/search_formulas.py                  all questions, into research/ledger.json
    python research/search_formulas.py line-swap rook   some of them
    python research/search_formulas.py --longest 4      no programs of more than four operations

A search that was killed goes on where it was: finished parts are in the journals.
A machine that does nothing else answers them all in less than an hour, on one core.
"""

from pathlib import Path

import click

from formulas import ledger
from formulas.confirmation import confirm
from formulas.deepening import deepen
from formulas.questions import QUESTIONS, question
from rookery.cli.common import err

HERE = Path(__file__).resolve().parent


@click.command()
@click.argument("names", nargs=-1)
@click.option("--longest", type=click.IntRange(1, 12), help="Search no longer programs; without it, as recorded.")
@click.option("--journals", type=click.Path(file_okay=False, path_type=Path), default=HERE / "journals")
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), default=HERE / "ledger.json")
def main(names: tuple[str, ...], longest: int | None, journals: Path, out: Path) -> None:
    """Answer the questions with these NAMES, or all of them."""
    try:
        chosen = [question(name) for name in names] or QUESTIONS
    except ValueError as error:
        raise click.BadParameter(str(error)) from None
    journals.mkdir(parents=True, exist_ok=True)
    with err.status("searching") as status:
        for q in chosen:
            answer = deepen(q, min(longest or q.longest, q.longest), journals, status.update)
            confirmed = confirm(answer, min(longest or q.confirmed, q.confirmed), journals, status.update)
            ledger.update(out, ledger.row(answer, confirmed))
            found = f"fewest operations: {answer.fewest}" if answer.fewest else f"none with up to {answer.none_up_to}"
            err.print(f"{q.name}: {found}")
            for program in answer.lengths[-1].shortest:
                err.print(f"    {program.formula()}", markup=False, highlight=False)


if __name__ == "__main__":
    main()
