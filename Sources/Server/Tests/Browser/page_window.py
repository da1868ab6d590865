"""A page in a window of headless Chromium, for tests."""
import base64
import os
import time

from axe_core_python.selenium import Axe
from selenium import webdriver
from selenium.webdriver.chrome.options import Options
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.by import By


class Window:
    """A page in a window of headless Chromium, which fails on any message in the console."""

    def __init__(self, address, width=1280, height=1000, scheme="light"):
        settings = Options()
        arguments = ["--headless=new", "--disable-gpu", "--hide-scrollbars", f"--window-size={width},{height}"]
        # As root, Chromium refuses to start with its sandbox.
        arguments += ["--no-sandbox"] if os.geteuid() == 0 else []
        for argument in arguments:
            settings.add_argument(argument)
        settings.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        self.driver = webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=settings)
        # axe-core looks at every element, which takes its time on a busy machine.
        self.driver.set_script_timeout(300)
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
            "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500})
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {
            "features": [{"name": "prefers-color-scheme", "value": scheme}]})
        # Parts of messages of the console that a test causes on purpose.
        self.expected = []
        self.driver.get(address)

    def __enter__(self):
        return self

    def __exit__(self, *failure):
        messages = self.driver.get_log("browser") if not failure[0] else []
        self.driver.quit()
        messages = [message for message in messages
                    if not any(part in message["message"] for part in self.expected)]
        assert not messages, messages

    def find(self, selector):
        return self.driver.find_element(By.CSS_SELECTOR, selector)

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def text(self, selector):
        return self.find(selector).text

    def until(self, holds, what, seconds=30):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            try:
                if holds():
                    return
            except Exception:  # The element is not there yet, or was replaced.
                pass
            time.sleep(0.05)
        raise AssertionError(what)

    def check(self, name, pictures, is_whole=True, is_judged=True):
        """No finding of axe-core; a screenshot in a folder, if there is one."""
        findings = Axe().run(self.driver)["violations"] if is_judged else []
        lines = [f"{item['id']}: {node['html'][:300]}" for item in findings for node in item["nodes"]]
        if pictures:
            pictures.mkdir(parents=True, exist_ok=True)
            picture = self.driver.execute_cdp_cmd("Page.captureScreenshot", {"captureBeyondViewport": is_whole})
            (pictures / f"{name}.png").write_bytes(base64.b64decode(picture["data"]))
        assert not findings, "\n".join(lines)
