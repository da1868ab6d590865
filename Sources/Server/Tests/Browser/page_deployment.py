"""Tests of the start of the page, of tokens, and of a system that cannot be written to."""
import os
import pathlib
import secrets
import subprocess
import tempfile
import time

from selenium.webdriver.common.keys import Keys

from service import Page, Server, options


def a_browser_is_opened(_):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "xdg-open").write_text(f'#!/bin/sh\necho "$1" >{folder}/address\n')
        (folder / "xdg-open").chmod(0o755)
        with Server(programs=folder) as server:
            for _ in range(200):
                if (folder / "address").exists() and (folder / "address").read_text():
                    break
                time.sleep(0.05)
            assert (folder / "address").read_text() == f"{server.address}\n"


def tokens_are_asked_for(_):
    token = secrets.token_hex(24)
    with tempfile.NamedTemporaryFile("w") as file:
        file.write(token)
        file.flush()
        os.chmod(file.name, 0o600)
        with Server("--tokens", file.name) as server, Page(server.address) as page:
            page.until(lambda: page.all("#presets input"), "no limits")
            names = ["lake-baseline.jpg", "still-life-ready.jpg"]
            page.find("#files").send_keys("\n".join(str((options.images / name).resolve()) for name in names))
            page.until(lambda: page.find("#token").is_displayed(), "no form for the token")
            assert page.driver.switch_to.active_element.get_attribute("id") == "token-text"
            page.check("token")
            # Browsers report refused requests in the console. Nothing else may be there.
            page.expected = ["401 (Unauthorized)"]
            page.find("#token-text").send_keys("wrong", Keys.ENTER)
            page.until(lambda: "does not know" in page.text("#token-refused"), "no word on the wrong token")
            page.check("token-refused")
            page.find("#token-text").send_keys(token, Keys.ENTER)
            page.ready("still-life-ready.jpg")
            assert not page.find("#token").is_displayed()
            assert len(page.all("#trials button")) == 2 and not page.all("#trials .has-failed")
            stored = page.driver.execute_script("return document.cookie + localStorage.length + sessionStorage.length")
            assert stored == "00" and page.find("#token-text").get_property("value") == ""


# Everything but /dev, /proc and /sys is read-only, as in a container image that is run so.
READ_ONLY = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c",
             'mount -o remount,bind,ro / && exec "$0" "$@"']


def a_read_only_root_needs_a_container(_):
    if not pathlib.Path("/dev/shm").is_dir() or subprocess.run([*READ_ONLY, "true"], capture_output=True).returncode:
        print("  skipped: no user namespaces, or no /dev/shm")
        return
    with Server(before=READ_ONLY, folder="/dev/shm") as server, Page(server.address) as page:
        page.choose(options.images / "lake-baseline.jpg")
        assert page.find(".notification-picture img").get_property("naturalWidth") > 1000
        page.until(lambda: not server.left, f"files stay: {server.left}")
    try:
        Server("--container", "/thimble-container", before=READ_ONLY, folder="/dev/shm").end()
        raise AssertionError("served without a container")
    except RuntimeError as error:
        assert "/thimble-container" in str(error), error


tests = [a_browser_is_opened, tokens_are_asked_for, a_read_only_root_needs_a_container]
