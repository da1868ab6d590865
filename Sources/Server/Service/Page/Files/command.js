// The same job as a command.

import { card, element } from "./dom.js";

/** A word that every POSIX shell reads as it is. */
export function quoted(word) {
    // A name that begins with a hyphen would be read as an option.
    const safe = word.startsWith("-") ? `./${word}` : word;
    return /^[A-Za-z0-9_./:=+,-]+$/.test(safe) ? safe : `'${safe.replaceAll("'", `'\\''`)}'`;
}

/** The command for a trial. */
export function command({ name, isPayload, settings }) {
    const isStandard = settings.presets.join() === "content";
    const presets = isStandard ? "" : settings.presets.map((preset) => ` --preset ${preset}`).join("");
    const options = `--cap ${settings.cap}MiB --width ${settings.width} --scale ${settings.scale}${presets}`;
    // Control characters cannot be copied into every terminal as they are.
    const file = quoted(name.replaceAll(/[\u0000-\u001f\u007f]/g, "?"));
    return isPayload
        ? `thimble stage --container Container ${options} < payload.json`
        : `thimble process ${file} --container Container --id example ${options}`;
}

export function commandCard(trial) {
    const text = command(trial);
    const button = element("button", { type: "button", id: "copy", onclick: copy }, "Copy");
    async function copy() {
        try {
            await navigator.clipboard.writeText(text);
            button.textContent = "Copied";
        } catch {
            // Without TLS, and not on this machine: browsers keep the clipboard closed.
            getSelection().selectAllChildren(code);
            button.textContent = "Selected";
        }
        setTimeout(() => { button.textContent = "Copy"; }, 2000);
    }
    const code = element("code", { id: "command" }, text);
    return card("The same as a command", null,
        element("div", { class: "command" }, element("pre", { tabindex: "0", "aria-label": "Command" }, code), button));
}
