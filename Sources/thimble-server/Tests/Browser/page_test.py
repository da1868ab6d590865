#!/usr/bin/env python3
"""Tests of the page in headless Chromium: page_test.py PRODUCTS IMAGES [--pictures FOLDER].

PRODUCTS has thimble-server and its workers. The tests click, type, drag, drop and look, and fail on any
message in the console and on any finding of axe-core. --pictures keeps screenshots.
"""
import argparse
import base64
import json
import pathlib
import re
import subprocess
import sys
import time

from selenium.webdriver.common.keys import Keys

import page_window

parser = argparse.ArgumentParser()
parser.add_argument("products", type=pathlib.Path)
parser.add_argument("images", type=pathlib.Path)
parser.add_argument("--pictures", type=pathlib.Path)
parser.add_argument("--large", type=pathlib.Path, help="a picture of 48 megapixels")
parser.add_argument("--seconds", type=float, default=3, help="time for the large picture")
parser.add_argument("--only", default="", help="run tests whose names contain this")
options = parser.parse_args()

DROP = """
const [name, type, text] = arguments;
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const data = new DataTransfer();
data.items.add(new File([bytes], name, { type }));
for (const kind of ["dragenter", "dragover", "drop"]) {
    document.getElementById("intake").dispatchEvent(
        new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: data }));
}
"""


class Server:
    """`thimble-server try` on a free port."""

    def __init__(self):
        self.process = subprocess.Popen(
            [options.products / "thimble-server", "try", "--no-open", "--max-upload-bytes", "100MB"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        line = self.process.stdout.readline()
        found = re.search(r"http://\S+/", line)
        assert found, f"not serving: {line}{self.process.stderr.read() if not line else ''}"
        self.address = found.group()

    def end(self):
        self.process.terminate()
        self.process.wait(60)


class Page(page_window.Window):
    """The page of the service."""

    def ready(self, name):
        self.until(lambda: name in self.text("#status") and "is-busy" not in
                   self.find("#status").get_attribute("class"), f"no result for {name}")

    def choose(self, path):
        self.find("#files").send_keys(str(path.resolve()))
        self.ready(path.name)

    def drop(self, name, kind, content):
        self.driver.execute_script(DROP, name, kind, base64.b64encode(content).decode())

    def check(self, name):
        super().check(name, options.pictures)


def choosing_shows_everything(server):
    with Page(server.address) as page:
        page.check("empty")
        page.choose(options.images / "lake-baseline.jpg")
        titles = [title.text for title in page.all(".card h2")]
        assert titles == ["Outcome", "Ladder", "Footprint", "Facts", "The same as a command"], titles
        assert page.find(".notification-picture img").get_property("naturalWidth") > 1000
        assert len(page.all(".rung.is-chosen")) == 1
        command = page.text("#command")
        assert command.startswith("thimble process lake-baseline.jpg") and "--cap 24MiB" in command
        page.check("light")


def cap_chooses_another_rung(server):
    with Page(server.address) as page:
        page.choose(options.images / "ridges-progressive.jpg")
        before = page.text("#ladder-choice")
        slider = page.find("#cap")
        slider.send_keys(Keys.HOME)
        page.until(lambda: page.text("#cap-value") == "3 MiB", "the slider did not move")
        page.until(lambda: "Refused" in page.text("#ladder-choice") != before, "a rung under 3 MiB")
        page.until(lambda: "over cap" in page.text("#problem"), "no trial under the new cap")
        assert "--cap 3MiB" in page.text("#command")
        slider.send_keys(Keys.END)
        page.until(lambda: "--cap 64MiB" in page.text("#command"), "no trial under the largest cap")
        assert not page.all("#problem")
        page.check("cap")


def switches_work_by_keyboard(server):
    with Page(server.address) as page:
        page.choose(options.images / "lake-baseline.jpg")
        page.find("input[name=stage]:checked").send_keys(Keys.ARROW_LEFT)
        assert page.find(".notification").get_attribute("data-stage") == "collapsed"
        assert page.find(".notification-thumbnail").get_property("naturalWidth") == 264
        page.find("input[name=appearance]:checked").send_keys(Keys.ARROW_RIGHT)
        assert page.find(".screen").get_attribute("data-appearance") == "dark"
        page.find("input[name=shown]:checked").send_keys(Keys.ARROW_RIGHT)
        page.until(lambda: page.find(".notification-thumbnail").get_property("naturalWidth") <= 32,
                   "no placeholder")
        chart = page.find(".chart svg")
        chart.send_keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT)
        assert re.search(r"MiB after \d+ ms", page.text(".chart-read"))
        page.check("banner")


def payload_has_text_and_findings(server):
    with Page(server.address) as page:
        page.find("#write").click()
        field = page.find("#payload-text")
        field.clear()
        field.send_keys(json.dumps({
            "aps": {"alert": {"title": "<img src=x onerror=alert(1)>", "body": "A & B"}},
            "thimble": {"media": "https://127.0.0.1/private.jpg"}}))
        field.send_keys(Keys.CONTROL, Keys.ENTER)
        page.ready("written payload")
        assert "refused address" in page.text("#problem")
        assert page.text(".notification-title") == "<img src=x onerror=alert(1)>"
        assert page.all(".finding.is-error") and "mutable-content" in page.text(".findings")
        page.check("refused")


def drop_and_paste(server):
    with Page(server.address) as page:
        page.drop("IMG 'odd'; rm -rf.png", "image/png", (options.images / "thimble-alpha.png").read_bytes())
        page.ready("odd")
        assert r"'IMG '\''odd'\''; rm -rf.png'" in page.text("#command")
        page.drop("payload.json", "application/json", b'{"aps":{"alert":"Hello"}}')
        page.ready("payload.json")
        assert page.text(".notification-body") == "Hello"
        assert len(page.all("#trials button")) == 2
        page.find("#trials button").click()
        assert page.find("#trials button").get_attribute("aria-pressed") == "true"
        page.find("#sample").click()
        page.ready("sample.jpg")
        page.check("several")


def broken_picture_has_reason_and_remedy(server):
    with Page(server.address) as page:
        page.choose(options.images / "ridges-truncated.jpg")
        problem = page.text("#problem")
        assert "Reason" in problem and "Remedy" in problem and "truncated" in problem, problem
        page.check("failed")


def sound_and_animation(server):
    with Page(server.address) as page:
        page.choose(options.images / "chime.wav")
        assert page.all(".notification-picture audio")
        page.choose(options.images / "aurora-animated.gif")
        assert page.find(".notification-picture img")


def dark_and_narrow(server):
    with Page(server.address, scheme="dark") as page:
        page.choose(options.images / "lake-baseline.jpg")
        page.check("dark")
    with Page(server.address, 390, 844) as page:
        page.choose(options.images / "lake-baseline.jpg")
        assert page.driver.execute_script("return document.documentElement.scrollWidth") <= 390
        page.check("narrow")


def large_picture_in_time(server):
    if not options.large:
        return
    with Page(server.address) as page:
        page.choose(options.images / "still-life-ready.jpg")
        begun = time.monotonic()
        page.choose(options.large)
        page.until(lambda: page.find(".notification-picture img").get_property("complete"), "no picture")
        elapsed = time.monotonic() - begun
        print(f"  {elapsed:.2f} s for {options.large.name}")
        assert elapsed < options.seconds


def main():
    server = Server()
    failed = 0
    try:
        for test in [choosing_shows_everything, cap_chooses_another_rung, switches_work_by_keyboard,
                     payload_has_text_and_findings, drop_and_paste, broken_picture_has_reason_and_remedy,
                     sound_and_animation, dark_and_narrow, large_picture_in_time]:
            if options.only not in test.__name__:
                continue
            try:
                test(server)
                print(f"passed  {test.__name__}", flush=True)
            except Exception as error:
                failed += 1
                print(f"FAILED  {test.__name__}: {error}", flush=True)
    finally:
        server.end()
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
