"""Files that are made from tables: `python3 -m docs.make.generated` writes them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.make import (
    architectures_page,
    cli_page,
    completion_scripts,
    instructions_page,
    json_page,
    pictures,
    published_page,
    rules_page,
    sanitizer_page,
)
from tests.support.paths import DOCS

FILES: Mapping[Path, Callable[[], str]] = {
    published_page.PAGE: published_page.page,
    sanitizer_page.PAGE: sanitizer_page.page,
    **{
        DOCS / "reference" / name: make
        for name, make in {
            "architectures.md": architectures_page.page,
            "cli.md": cli_page.page,
            "instructions.md": instructions_page.page,
            "json.md": json_page.page,
            "rules.md": rules_page.page,
        }.items()
    },
    **completion_scripts.FILES,
    **{pictures.FOLDER / name: make for name, make in pictures.PICTURES.items()},
}

if __name__ == "__main__":
    for path, make in FILES.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make(), encoding="utf-8")
