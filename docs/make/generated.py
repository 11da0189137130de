"""Files that are made from tables: `python3 -m docs.make.generated` writes them."""

from collections.abc import Callable, Mapping
from pathlib import Path

from docs.make import bounds_page, calibrate_page, completion_scripts, pictures, published_page, sanitizer_page
from docs.make.reference import architectures_page, c_api_page, cli_page, instructions_page, json_page, rules_page
from tests.support.paths import DOCS

FILES: Mapping[Path, Callable[[], str]] = {
    bounds_page.PAGE: bounds_page.page,
    pictures.FOLDER / "bounds.svg": bounds_page.picture,
    calibrate_page.PAGE: calibrate_page.page,
    published_page.PAGE: published_page.page,
    sanitizer_page.PAGE: sanitizer_page.page,
    **{
        DOCS / "reference" / name: make
        for name, make in {
            "architectures.md": architectures_page.page,
            "c_api.md": c_api_page.page,
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
