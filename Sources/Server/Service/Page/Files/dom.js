// Elements without markup: every text becomes a text node, so that no name of a file and no text of a
// payload is ever read as HTML.

const svgNamespace = "http://www.w3.org/2000/svg";

/** An element with attributes and children; null children are left out. */
export function element(name, attributes = {}, ...children) {
    return build(document.createElement(name), attributes, children);
}

/** The same in SVG. */
export function shape(name, attributes = {}, ...children) {
    return build(document.createElementNS(svgNamespace, name), attributes, children);
}

function build(node, attributes, children) {
    for (const [name, value] of Object.entries(attributes)) {
        if (value === null || value === undefined || value === false) continue;
        if (name === "style") {
            // By the object model: the page's policy forbids the attribute.
            for (const [property, text] of Object.entries(value)) node.style.setProperty(property, text);
        } else if (name.startsWith("on")) {
            node.addEventListener(name.slice(2), value);
        } else {
            node.setAttribute(name, value === true ? "" : value);
        }
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
}

/** The element with an identifier. */
export const byID = (identifier) => document.getElementById(identifier);

/** A card of the result. */
export function card(title, hint, ...children) {
    return element("section", { class: "card" },
        element("div", { class: "card-head" },
            element("h2", {}, title),
            hint ? element("span", { class: "hint" }, hint) : null),
        ...children);
}

/** A list of terms; pairs without a value are left out. */
export function terms(className, pairs) {
    return element("dl", { class: className }, pairs
        .filter(([, value]) => value !== null && value !== undefined && value !== "")
        .map(([name, value]) => element("div", {},
            element("dt", {}, name), element("dd", {}, value))));
}
