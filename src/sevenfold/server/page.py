"""The built page, from `server/page/`: hashed files for good, the rest asked for again each time."""

import mimetypes
from pathlib import Path

from fastapi import FastAPI
from fastapi.responses import FileResponse, HTMLResponse, Response
from starlette.exceptions import HTTPException

from sevenfold.options import shown

FOLDER = Path(__file__).parent / "page"
NOT_BUILT = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Sevenfold</title>
<p>The page is not built yet: run <code>make web</code> in the source folder, and load this again.</p>
<p lang="zh-Hant-TW">網頁還沒建置：請在原始碼資料夾執行 <code>make web</code>，再重新載入。</p></html>
"""
NO_SUCH_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><title>Sevenfold</title>
<meta name="viewport" content="width=device-width"><h1>There is no such page</h1>
<p><a href="/">The games</a> are at the address without anything after it.</p>
<p lang="zh-Hant-TW">沒有這個網頁。<a href="/">遊戲</a>在網址後面什麼都不加的地方。</p></html>
"""
FOR_GOOD = "public, max-age=31536000, immutable"


def add(app: FastAPI, folder: Path = FOLDER) -> None:
    """Serves the page; only names of files that are there, so no path leads elsewhere."""

    def files() -> dict[str, Path]:
        return {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}

    @app.get("/{name:path}", include_in_schema=False, response_model=None)
    def page(name: str) -> Response:
        there = files()
        if not name and "index.html" not in there:
            return HTMLResponse(NOT_BUILT, headers={"cache-control": "no-cache"})
        name = name or "index.html"
        if name not in there:
            if name.startswith("api/"):
                raise HTTPException(
                    404, f"there is nothing at {shown('/' + name)}; /api/openapi.json tells what there is."
                )
            return HTMLResponse(NO_SUCH_PAGE, 404)
        cache = FOR_GOOD if name.startswith("assets/") else "no-cache"
        kind = mimetypes.guess_type(name)[0] or "application/octet-stream"
        return FileResponse(there[name], media_type=kind, headers={"cache-control": cache})
