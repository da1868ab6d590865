#!/usr/bin/env python3
"""Tests of the page in headless Chromium: page_test.py PRODUCTS IMAGES [--pictures FOLDER].

PRODUCTS has thimble-server and its workers. The tests click, type, drag, drop, paste and look, and fail on any
message in the console and on any finding of axe-core. --pictures keeps screenshots.
"""
import json
import re
import sys
import time

from selenium.webdriver.common.keys import Keys

import page_deployment
import page_intake
import page_presets
from service import Page, Server, options


def choosing_shows_everything(server):
    with Page(server.address) as page:
        page.check("empty")
        page.choose(options.images / "lake-baseline.jpg")
        titles = [title.text for title in page.all(".card h2")]
        assert titles == ["Outcome", "Renditions", "Ladder", "Footprint", "Facts", "The same as a command"], titles
        assert page.find(".notification-picture img").get_property("naturalWidth") > 1000
        assert len(page.all(".rung.is-chosen")) == 1
        command = page.text("#command")
        assert command.startswith("thimble process lake-baseline.jpg") and "--cap 24MiB" in command
        page.driver.execute_cdp_cmd("Browser.grantPermissions", {
            "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
        page.find("#copy").click()
        page.until(lambda: page.text("#copy") == "Copied", "not copied")
        copied = "navigator.clipboard.readText().then(arguments[0])"
        assert page.driver.execute_async_script(copied) == command
        page.until(lambda: page.text("#copy") == "Copy", "the button keeps its word")
        page.driver.execute_script("scrollTo(0, 0)")
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
        page.driver.execute_script("scrollTo(0, 0)")
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
    # A push that the system will not show is not ready, though its picture is made.
    with Page(server.address) as page:
        page.find("#write").click()
        field = page.find("#payload-text")
        field.clear()
        field.send_keys(json.dumps({"aps": {"mutable-content": 1, "category": "a"}}))
        field.send_keys(Keys.CONTROL, Keys.ENTER)
        page.ready("written payload")
        assert "ready" not in page.text("#status") and "not shown" in page.text("#status")
        above = "return document.querySelector('#check').getBoundingClientRect().bottom <= " \
            "document.querySelector('.screen').getBoundingClientRect().top"
        assert page.driver.execute_script(above), "the findings are not above the phone"


def broken_picture_has_reason_and_remedy(server):
    for size, name in [((1280, 1000), "failed"), ((390, 844), "failed-narrow")]:
        with Page(server.address, *size) as page:
            page.choose(options.images / "ridges-truncated.jpg")
            problem = page.text("#problem")
            assert "Reason" in problem and "Remedy" in problem and "truncated" in problem, problem
            page.check(name)


def sound_and_animation(server):
    with Page(server.address) as page:
        page.choose(options.images / "chime.wav")
        assert page.all(".notification-picture audio")
        page.choose(options.images / "aurora-animated.gif")
        assert page.find(".notification-picture img")


def dark_and_narrow(server):
    paper = "return getComputedStyle(document.body).backgroundColor"
    with Page(server.address, scheme="dark") as page:
        page.choose(options.images / "lake-baseline.jpg")
        page.check("dark")
        dark = page.driver.execute_script(paper)
        page.find("#theme").send_keys("Light")
        assert page.driver.execute_script(paper) != dark, "the theme of the system stays"
    for width in [390, 320]:
        with Page(server.address, width, 844) as page:
            page.choose(options.images / "lake-baseline.jpg")
            assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
            page.check(f"narrow-{width}")


def large_picture_in_time(server):
    if not options.large:
        return
    with Page(server.address) as page:
        page.choose(options.images / "still-life-ready.jpg")
        begun = time.monotonic()
        page.drag(options.large, 640, 100)
        page.ready(options.large.name)
        page.until(lambda: page.find(".notification-picture img").get_property("naturalWidth") == 1320, "no picture")
        elapsed = time.monotonic() - begun
        print(f"  {elapsed:.2f} s for {options.large.name}")
        # Two cores, without other work.
        assert elapsed < 3 * options.patience


def main():
    server = Server()
    failed = 0
    try:
        for test in [choosing_shows_everything, cap_chooses_another_rung, switches_work_by_keyboard,
                     payload_has_text_and_findings, broken_picture_has_reason_and_remedy,
                     sound_and_animation, dark_and_narrow, large_picture_in_time,
                     *page_intake.tests, *page_presets.tests, *page_deployment.tests]:
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
