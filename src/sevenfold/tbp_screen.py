"""What `tbp-check` and `fumen` print for people. The sentences of the checks are English, as those of errors are."""

from rich.markup import escape

from sevenfold.games.tetris.fumen import Page
from sevenfold.lang import t
from sevenfold.protocols.tbp_check import Check, Report
from sevenfold.screen import console

SIGNS = {True: "[green]✓[/]", False: "[bold red]✗[/]", None: "[dim]–[/]"}
COLOURS = {
    "I": "cyan",
    "O": "yellow",
    "T": "magenta",
    "L": "dark_orange",
    "J": "blue",
    "S": "green",
    "Z": "red",
    "G": "bright_black",
}


def show_check(check: Check) -> None:
    """One line for a check that was made."""
    sign = "[yellow]![/]" if check.ok is False and check.kind == "should" else SIGNS[check.ok]
    seen = f"  [dim]{escape(check.seen)}[/]" if check.ok and check.seen else ""
    console().print(f"{sign} {escape(check.what)}{seen}", soft_wrap=True, highlight=False)
    if not check.ok and check.seen:
        console().print(f"    {escape(check.seen)}", soft_wrap=True, highlight=False)


def show_summary(report: Report) -> None:
    """What all of them come to."""
    out = console()
    left_out = [check for check in report.checks if check.ok is None]
    for check in left_out:
        show_check(check)
    if report.suggestions:
        told = t(
            "{suggestions} suggestions, {moves} moves: {illegal} illegal, {spins} with a wrong spin",
            suggestions=report.suggestions,
            moves=report.moves,
            illegal=report.illegal,
            spins=report.wrong_spin,
        )
        out.print(told, highlight=False, soft_wrap=True)
    broken = sum(check.ok is False and check.kind == "must" for check in report.checks)
    advice = sum(check.ok is False and check.kind == "should" for check in report.checks)
    if report.passed:
        text = t("The bot keeps the protocol.")
        out.print(f"[bold green]{text}[/]" + (f" {t('Advice: {count}.', count=advice)}" if advice else ""))
    else:
        out.print(f"[bold red]{t('The bot does not keep the protocol.')}[/] {t('Broken: {count}.', count=broken)}")


def show_pages(pages: list[Page]) -> None:
    """The pages of a fumen, the piece of each in brackets."""
    out = console()
    for number, page in enumerate(pages, start=1):
        heading = t("page {number} of {count}", number=number, count=len(pages))
        out.print(f"[bold]{heading}[/]", highlight=False)
        for line in _drawn(page):
            out.print(line, highlight=False, soft_wrap=True)
        if page.comment:
            printable = "".join(sign if sign.isprintable() else " " for sign in page.comment)
            out.print(escape(printable), highlight=False, soft_wrap=True)


def _drawn(page: Page) -> list[str]:
    cells = {(x, y) for x, y in page.piece.cells()} if page.piece else set()
    top = max([len(page.rows), *(y + 1 for _, y in cells), 1])
    lines = []
    for y in range(top - 1, -1, -1):
        row = page.rows[y] if y < len(page.rows) else "." * 10
        line = ""
        for x, cell in enumerate(row):
            kind = page.piece.kind if page.piece and (x, y) in cells else cell
            sign = "()" if (x, y) in cells else "[]" if kind != "." else " ."
            line += f"[{COLOURS[kind]}]{escape(sign)}[/]" if kind != "." else sign
        lines.append(f"|{line}|")
    return lines
