// Pictures and payloads by choosing, dropping, pasting and writing.

import { byID } from "./dom.js";
import { Trial } from "./trial.js";

const example = `{
  "aps": {
    "alert": {
      "title": "Your picture of the day",
      "subtitle": "Lake, evening",
      "body": "Press and hold to see it whole."
    },
    "category": "daily-pick",
    "mutable-content": 1
  },
  "thimble": { "media": "https://example.com/picture.jpg" }
}
`;

/** Calls `add` with the trials of everything that a person hands over. */
export function listen(add) {
    const input = byID("files");
    byID("choose").addEventListener("click", () => input.click());
    input.addEventListener("change", async () => {
        const trials = await trialsOf(input.files);
        input.value = "";
        add(trials);
    });
    byID("sample").addEventListener("click", async () => {
        add([new Trial("sample.jpg", await drawnSample(), false)]);
    });
    listenForPayload(add);
    listenForDrops(add);
    document.addEventListener("paste", async (event) => {
        const files = [...(event.clipboardData?.files ?? [])];
        if (files.length > 0) return add(await trialsOf(files));
        if (event.target.closest?.("textarea, input")) return;
        const text = event.clipboardData?.getData("text/plain").trim() ?? "";
        if (/^[{[]/.test(text)) add(trialsOfText("pasted payload", text));
    });
}

function listenForPayload(add) {
    const [form, text, open] = [byID("payload"), byID("payload-text"), byID("write")];
    open.setAttribute("aria-expanded", "false");
    const show = (isShown) => {
        form.hidden = !isShown;
        open.setAttribute("aria-expanded", String(isShown));
        (isShown ? text : open).focus();
    };
    open.addEventListener("click", () => {
        if (!text.value) text.value = example;
        show(form.hidden);
    });
    byID("payload-close").addEventListener("click", () => show(false));
    form.addEventListener("keydown", (event) => {
        if (event.key === "Escape") show(false);
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        add(trialsOfText("written payload", text.value));
    });
}

function listenForDrops(add) {
    const root = document.documentElement;
    const mark = (isOver) => root.classList.toggle("is-dragging", isOver);
    document.addEventListener("dragleave", (event) => {
        // Leaving one element for another enters that one.
        if (!event.relatedTarget) mark(false);
    });
    document.addEventListener("dragover", (event) => {
        event.preventDefault();
        mark(true);
        if (event.dataTransfer) event.dataTransfer.dropEffect = "copy";
    });
    document.addEventListener("drop", async (event) => {
        event.preventDefault();
        mark(false);
        const files = [...(event.dataTransfer?.files ?? [])];
        if (files.length > 0) return add(await trialsOf(files));
        const text = event.dataTransfer?.getData("text/plain").trim() ?? "";
        if (/^[{[]/.test(text)) add(trialsOfText("dropped payload", text));
    });
}

async function trialsOf(files) {
    const trials = await Promise.all([...files].map(async (file) => {
        // Names mislead; the longest payload of APNs is 4 kB, and a batch has many.
        const head = file.size < 1048576 ? (await file.slice(0, 256).text()).trimStart() : "";
        const isPayload = /^[{[]/.test(head) || /\.json$/i.test(file.name);
        return isPayload ? trialsOfText(file.name, await file.text()) : [new Trial(file.name, file, false)];
    }));
    return trials.flat();
}

/** A trial for each payload of a text, which is one, an array of them, or one per line. */
function trialsOfText(name, text) {
    const payloads = payloadsOf(text);
    return payloads.map((payload, index) => new Trial(
        payloads.length > 1 ? `${name}, ${index + 1} of ${payloads.length}` : name, payload, true));
}

function payloadsOf(text) {
    const values = parsed([text]) ?? parsed(text.split("\n").filter((line) => line.trim()));
    const payloads = values?.flat() ?? [];
    // The service tells what is wrong with other texts.
    if (payloads.length === 0 || (payloads.length === 1 && !Array.isArray(values[0]))) return [text];
    return payloads.map((payload) => JSON.stringify(payload));
}

/** The values of JSON documents; undefined if one is none. */
function parsed(documents) {
    try {
        return documents.map((document) => JSON.parse(document));
    } catch {
        return undefined;
    }
}

/** A landscape of 12 megapixels, drawn here, because the page has no pictures of its own. */
function drawnSample() {
    const canvas = new OffscreenCanvas(4000, 3000);
    const draw = canvas.getContext("2d");
    const sky = draw.createLinearGradient(0, 0, 0, 2100);
    for (const [place, colour] of [[0, "#24365f"], [0.5, "#c0648a"], [0.8, "#f6a56a"], [1, "#ffe0a6"]]) {
        sky.addColorStop(place, colour);
    }
    draw.fillStyle = sky;
    draw.fillRect(0, 0, 4000, 3000);
    draw.fillStyle = "#fff3cf";
    draw.beginPath();
    draw.arc(2650, 1480, 230, 0, 7);
    draw.fill();
    const layers = ["#7b4a73", "#553a66", "#352b52", "#1b1c38"];
    layers.forEach((colour, layer) => {
        draw.fillStyle = colour;
        draw.beginPath();
        draw.moveTo(0, 3000);
        for (let x = 0; x <= 4000; x += 8) {
            const wave = Math.sin(x / (430 - layer * 70) + layer * 2) * (170 - layer * 20)
                + Math.sin(x / 97 + layer) * 34 + Math.sin(x / 23) * 7;
            draw.lineTo(x, 1650 + layer * 320 - wave);
        }
        draw.lineTo(4000, 3000);
        draw.fill();
    });
    return canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
}
