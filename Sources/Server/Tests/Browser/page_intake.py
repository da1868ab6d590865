"""Tests of the ways by which a picture or a payload reaches the page."""
import base64

from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.keys import Keys

from service import Page, options

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

COPY_PICTURE = """
const [text, done] = arguments;
const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
const item = new ClipboardItem({ "image/png": new Blob([bytes], { type: "image/png" }) });
navigator.clipboard.write([item]).then(() => done(""), (error) => done(String(error)));
"""

COPY_TEXT = """
const [text, done] = arguments;
navigator.clipboard.writeText(text).then(() => done(""), (error) => done(String(error)));
"""

# Elements that a person can reach by the Tab key; of radio buttons, the selected one.
STOPS = """
return [...document.querySelectorAll("a, button, input, select, textarea, summary, [tabindex='0']")]
    .filter((node) => node.checkVisibility() && !node.disabled && node.type !== "file"
        && (node.type !== "radio" || node.checked))
    .map((node) => node.id || node.name + node.value || node.textContent || node.tagName);
"""

FOCUSED = """
const node = document.activeElement;
const look = (shown) => getComputedStyle(shown).outlineStyle !== "none";
return node === document.body ? null : {
    name: node.id || node.name + node.value || node.textContent || node.tagName,
    isMarked: look(node) || (node.nextElementSibling !== null && look(node.nextElementSibling)),
};
"""


def dragging_marks_the_target_and_drops(server):
    with Page(server.address) as page:
        box = page.find("#intake").rect
        place = (box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        file = options.images / "gerbera-palette.png"
        is_marked = "return document.documentElement.classList.contains('is-dragging')"
        page.drag(file, *place, kinds=["dragEnter", "dragOver"])
        page.until(lambda: page.driver.execute_script(is_marked), "the target is not marked")
        page.check("dragging")
        # The protocol has no event of a pointer that leaves the window.
        page.driver.execute_script("document.dispatchEvent(new DragEvent('dragleave', { bubbles: true }))")
        page.until(lambda: not page.driver.execute_script(is_marked), "the mark stays")
        # Anywhere on the page.
        page.drag(file, 20, 900)
        page.ready(file.name)
        assert not page.driver.execute_script(is_marked)
        assert page.driver.current_url == server.address, "the browser opened the file"


def drop(page, name, kind, content):
    page.driver.execute_script(DROP, name, kind, base64.b64encode(content).decode())


def odd_names_and_payloads_drop(server):
    with Page(server.address) as page:
        drop(page, "IMG 'odd'; rm -rf.png", "image/png", (options.images / "thimble-alpha.png").read_bytes())
        page.ready("odd")
        assert r"'IMG '\''odd'\''; rm -rf.png'" in page.text("#command")
        drop(page, "payload.json", "application/json", b'{"aps":{"alert":"Hello"}}')
        page.ready("payload.json")
        assert page.text(".notification-body") == "Hello"
        assert len(page.all("#trials button")) == 2
        # Each element of a batch is a trial, and none is ready that the system will not show.
        drop(page, "batch.json", "application/json", b"""[
            {"to": "ExponentPushToken[x]", "body": "One", "mutableContent": true},
            {"to": "ExponentPushToken[y]", "body": "Two", "richContent": {"image": "https://127.0.0.1/a.png"}}]""")
        page.ready("batch.json, 2 of 2")
        assert page.text(".notification-body") == "Two" and "mutableContent" in page.text("#check")
        assert len(page.all("#trials button")) == 4 and "ready" not in page.text("#status")
        page.find("#trials button").click()
        assert page.find("#trials button").get_attribute("aria-pressed") == "true"
        page.find("#sample").click()
        page.ready("sample.jpg")
        page.check("several")


def paste(page, script, content):
    """Fills the clipboard, and presses the keys of the browser's own command."""
    page.driver.execute_cdp_cmd("Browser.grantPermissions", {
        "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]})
    error = page.driver.execute_async_script(script, content)
    assert not error, error
    key = {"key": "v", "code": "KeyV", "windowsVirtualKeyCode": 86, "modifiers": 2}
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "rawKeyDown", "commands": ["paste"], **key})
    page.driver.execute_cdp_cmd("Input.dispatchKeyEvent", {"type": "keyUp", **key})


def pasting_a_picture_or_a_payload(server):
    with Page(server.address) as page:
        picture = (options.images / "gerbera-palette.png").read_bytes()
        paste(page, COPY_PICTURE, base64.b64encode(picture).decode())
        page.ready("image.png")
        assert page.find(".notification-picture img").get_property("naturalWidth") > 100
        paste(page, COPY_TEXT, '{"aps":{"alert":{"title":"Pasted","body":"Text"},"mutable-content":1}}')
        page.ready("pasted payload")
        assert page.text(".notification-title") == "Pasted"
        # Other text starts nothing, and text in a field stays there.
        paste(page, COPY_TEXT, "no payload")
        page.find("#write").click()
        page.find("#payload-text").send_keys(Keys.CONTROL, "a")
        paste(page, COPY_TEXT, '{"aps":{}}')
        page.until(lambda: page.find("#payload-text").get_property("value") == '{"aps":{}}', "no text in the field")
        assert len(page.all("#trials button")) == 2


def the_keyboard_is_enough(server):
    with Page(server.address) as page:
        keys = ActionChains(page.driver, duration=0)
        for _ in range(12):
            keys.send_keys(Keys.TAB).perform()
            if page.driver.execute_script(FOCUSED)["name"] == "sample":
                break
        keys.send_keys(Keys.ENTER).perform()
        page.ready("sample.jpg")
        page.driver.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
        page.driver.execute_script("document.body.tabIndex = -1; document.body.focus();"
                                   "document.body.removeAttribute('tabindex')")
        stops = page.driver.execute_script(STOPS)
        reached = []
        for _ in range(len(stops) + 4):
            keys.send_keys(Keys.TAB).perform()
            focused = page.driver.execute_script(FOCUSED)
            if focused is None:
                break
            assert focused["isMarked"], f"no mark of the focus: {focused['name']}"
            reached.append(focused["name"])
        assert set(stops) <= set(reached), set(stops) - set(reached)


def uploads_are_deleted(server):
    with Page(server.address) as page:
        page.choose(options.images / "lake-baseline.jpg")
        page.choose(options.images / "ridges-truncated.jpg")
        page.until(lambda: not server.left, f"files stay: {server.left}")


tests = [dragging_marks_the_target_and_drops, odd_names_and_payloads_drop, pasting_a_picture_or_a_payload,
         the_keyboard_is_enough, uploads_are_deleted]
