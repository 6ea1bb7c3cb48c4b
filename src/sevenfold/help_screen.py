"""Help screens in the language in use: typer has no setting for its own captions."""

from typing import Any

from typer.core import TyperCommand, TyperGroup

from sevenfold.lang import t


class _InLanguage:
    """What typer writes by itself, in the language in use."""

    def format_help(self, ctx: Any, formatter: Any) -> None:
        from typer import rich_utils

        for name, text in {
            "ARGUMENTS_PANEL_TITLE": t("Arguments"),
            "OPTIONS_PANEL_TITLE": t("Options"),
            "COMMANDS_PANEL_TITLE": t("Verbs"),
            "REQUIRED_LONG_STRING": t("[required]"),
            "DEFAULT_STRING": t("[default: {}]"),
        }.items():
            setattr(rich_utils, name, text)
        super().format_help(ctx, formatter)  # type: ignore[misc]

    def get_usage(self, ctx: Any) -> str:
        usage: str = super().get_usage(ctx)  # type: ignore[misc]
        return usage.replace("Usage:", t("Usage:"), 1)

    def get_help_option(self, ctx: Any) -> Any:
        option = super().get_help_option(ctx)  # type: ignore[misc]
        if option is not None:
            option.help, option.metavar = t("Shows this page."), ""
        return option


class Verb(_InLanguage, TyperCommand):
    """One verb."""


class Verbs(_InLanguage, TyperGroup):
    """All verbs."""


def translate(command: Any) -> None:
    """Puts the help texts of a command, its parameters and its verbs into the language in use."""
    command.help = t(command.help)
    command.epilog = command.epilog.replace("Example:", t("Example:"), 1)
    for parameter in command.params:
        parameter.help = t(parameter.help)
        if getattr(parameter, "is_flag", False):
            parameter.metavar = ""  # "--json <bool>" would look as if it took a word
    for verb in getattr(command, "commands", {}).values():
        translate(verb)
