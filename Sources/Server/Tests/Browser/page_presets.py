"""Tests of presets on the page."""
from service import Page, options

# Role and largest size of each preset's rendition (Preset.swift).
SIZES = {
    "banner": (264, 264), "avatar": (180, 180), "live-activity": (1113, 480), "widget": (1092, 1146),
    "android-big-picture": (1350, 675), "android-large-icon": (256, 256), "web-push": (1800, 900),
}


def select(page, *names):
    """Selects these presets alone, as a person does."""
    boxes = page.all("#presets input")
    for wanted in [True, False]:
        for box in boxes:
            if box.is_enabled() and (box.get_attribute("value") in names) == wanted != box.is_selected():
                box.click()
                page.until(lambda: "is-busy" not in page.find("#status").get_attribute("class"), "no result")


def size(page, role):
    picture = page.find(f"#renditions li[data-role='{role}'] img")
    page.until(lambda: picture.get_property("complete"), f"no picture of {role}")
    return picture.get_property("naturalWidth"), picture.get_property("naturalHeight")


def each_preset_has_its_rendition(server):
    with Page(server.address) as page:
        page.choose(options.images / "lake-baseline.jpg")
        assert [item.get_attribute("data-role") for item in page.all("#renditions li")] == ["expanded", "banner"]
        assert "--preset" not in page.text("#command")
        for name, (width, height) in SIZES.items():
            select(page, name)
            page.until(lambda: page.text("#command").endswith(f"--preset {name}"), f"no trial of {name}")
            assert [item.get_attribute("data-role") for item in page.all("#renditions li")] == [name]
            found = size(page, name)
            assert found[0] <= width and found[1] <= height, (name, found)
            assert width == found[0] or height == found[1] or name == "widget", (name, found)
            text = page.text(f"#renditions li[data-role='{name}']")
            assert f"{found[0]} × {found[1]}" in text and "kB" in text and "JPEG" in text, text
            assert "placeholder" in page.text("#no-content")
            page.check(f"preset-{name}")


def several_presets_share_one_decoding(server):
    for width, name in [(1280, "presets"), (390, "presets-narrow")]:
        with Page(server.address, width, 844, scheme="dark" if width == 390 else "light") as page:
            page.choose(options.images / "lake-baseline.jpg")
            for box in page.all("#presets input"):
                if box.is_enabled() and not box.is_selected():
                    box.click()
            page.until(lambda: len(page.all("#renditions li")) == 8, "not every preset has a rendition")
            assert len(page.all("#renditions img")) == 8
            command = page.text("#command")
            assert all(f"--preset {preset}" in command for preset in ["content", *list(SIZES)[1:]]), command
            assert "--preset banner" not in command
            assert page.driver.execute_script("return document.documentElement.scrollWidth") <= width
            page.check(name)


def one_preset_is_always_selected(server):
    with Page(server.address) as page:
        page.until(lambda: page.all("#presets input"), "no presets")
        content = page.find("#presets input[value=content]")
        assert content.is_selected() and not page.find("#presets input[value=banner]").is_enabled()
        content.click()
        banner = page.find("#presets input[value=banner]")
        assert not content.is_selected() and banner.is_selected() and banner.is_enabled()
        banner.click()
        assert banner.is_selected()


tests = [each_preset_has_its_rendition, several_presets_share_one_decoding, one_preset_is_always_selected]
