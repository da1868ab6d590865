// The presets that renditions are made for, as check boxes.

import { byID, element } from "./dom.js";

let titles = {};

/** The title of a rendition's role. */
export const titleOf = (role) => titles[role] ?? role;

/** The check boxes; at least one is always selected. */
export class PresetChoice {
    constructor(onChange) {
        this.onChange = onChange;
        this.boxes = [];
    }

    /** Makes the boxes from the limits of the service; without them, its own presets are used. */
    fill(limits) {
        titles = limits.titles;
        this.boxes = limits.presets.map(({ name, title, size, isSelected }) => {
            const box = element("input", { type: "checkbox", name: "preset", value: name,
                checked: isSelected, onchange: () => this.change(box) });
            byID("presets").append(element("label", { class: "preset" }, box,
                element("span", {}, title, element("small", {}, size))));
            return box;
        });
        this.restrict();
        byID("presets").hidden = false;
    }

    /** The names of the selected presets, in their order. */
    get names() {
        return this.boxes.filter((box) => box.checked && !box.disabled).map((box) => box.value);
    }

    change(box) {
        this.restrict();
        if (this.names.length > 0) return this.onChange();
        box.checked = true;
        this.restrict();
    }

    /** The banner is part of `content`. */
    restrict() {
        const [content, banner] = ["content", "banner"]
            .map((name) => this.boxes.find((box) => box.value === name));
        if (content.checked) banner.checked = true;
        banner.disabled = content.checked;
    }
}
