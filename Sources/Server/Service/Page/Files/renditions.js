// The renditions of a trial: each with its picture, size and bytes.

import { card, element } from "./dom.js";
import { titleOf } from "./presets.js";
import { bytes, size, time } from "./units.js";

/** The card of the renditions, in the order of the manifest. */
export function renditionsCard({ answer, pictures }) {
    const { renditions } = answer.manifest;
    const total = renditions.reduce((sum, rendition) => sum + rendition.bytes, 0);
    const isShownOnPhone = renditions.some(({ role }) => role === "expanded" || role === "media");
    return card("Renditions", `${bytes(total)} together`,
        element("ul", { class: "renditions", id: "renditions" },
            renditions.map((rendition) => figure(rendition, pictures[rendition.role]))),
        isShownOnPhone ? null : element("p", { class: "hint", id: "no-content" },
            "Without the preset of the content extension, the phone shows the placeholder."));
}

function figure(rendition, picture) {
    const { role, frames, duration } = rendition;
    const title = titleOf(role);
    const facts = [
        bytes(rendition.bytes), names[rendition.type] ?? rendition.type,
        frames > 1 ? `${frames} frames` : null, duration ? time(duration) : null,
    ].filter(Boolean).join(", ");
    const isShown = picture && role !== "media";
    return element("li", { "data-role": role },
        element("figure", {},
            element("div", { class: "rendition-picture" }, isShown
                ? element("img", { src: picture.url, alt: `Rendition: ${title}`,
                    width: rendition.size.width, height: rendition.size.height })
                : element("span", { class: "hint" }, role === "media" ? "Passed through" : "Too long to show here")),
            element("figcaption", {}, element("strong", {}, title),
                rendition.size.width ? element("span", {}, size(rendition.size)) : null,
                element("span", {}, facts))));
}

const names = { "public.jpeg": "JPEG", "public.png": "PNG", "com.compuserve.gif": "GIF" };
