// The cards of a result, in the order in which they are read.

import { footprintCard } from "./chart.js";
import { commandCard } from "./command.js";
import { card, element, terms } from "./dom.js";
import { ladderCard } from "./ladder.js";
import { titleOf } from "./presets.js";
import { renditionsCard } from "./renditions.js";
import { bytes, change, megapixels, memory, size, time } from "./units.js";

/** All cards of a trial under the cap of the slider. */
export function cards(trial, settings) {
    const { answer } = trial;
    const problem = trial.problem ?? answer?.problem;
    const cap = settings.cap;
    return [
        problem ? problemCard(problem) : null,
        answer?.manifest ? outcomeCard(trial) : null,
        answer?.manifest ? renditionsCard(trial) : null,
        answer?.ladder ? ladderCard(answer.ladder, cap, cap !== trial.settings.cap) : null,
        answer ? footprintCard(answer, trial.settings.cap) : null,
        answer?.findings?.length === 0 ? findingsCard(answer) : null,
        answer?.header || answer?.media ? factsCard(answer) : null,
        trial.problem ? null : commandCard(trial),
    ].filter(Boolean);
}

function problemCard({ code, title, detail, remedy }) {
    return element("section", { class: "card problem", id: "problem" },
        element("div", { class: "card-head" },
            element("h2", {}, title ?? "Not processed"),
            element("span", { class: "hint" }, code.replaceAll("-", " "))),
        element("dl", {},
            element("dt", {}, "Reason"), element("dd", {}, sentence(detail)),
            element("dt", {}, "Remedy"), element("dd", {}, sentence(remedy))));
}

function outcomeCard(trial) {
    const { answer, bytes: before } = trial;
    const after = answer.manifest.renditions.reduce((sum, rendition) => sum + rendition.bytes, 0);
    const most = Math.max(before, after, 1);
    const peak = answer.memory?.measuredPeak;
    const { renditions } = answer.manifest;
    const main = renditions.find(({ role }) => role === "expanded")
        ?? renditions.find(({ role }) => role !== "media");
    const sum = (name, value, detail, isStrong) => element("div", { class: `sum${isStrong ? " is-strong" : ""}` },
        element("dt", {}, name), element("dd", {}, value, element("small", {}, detail)));
    const bar = (name, length, className) => [
        element("span", {}, name),
        element("span", { class: `bar ${className}`, "aria-hidden": "true" },
            element("i", { style: { width: `${(length / most) * 100}%` } })),
        element("span", {}, bytes(length)),
    ];
    return card("Outcome", answer.workersLost > 0 ? `${answer.workersLost} workers lost` : null,
        element("dl", { class: "sums" },
            sum("Length", change(before, after), `${bytes(before)} to ${bytes(after)}`, true),
            peak ? sum("Peak", memory(peak),
                `${Math.round((peak / (trial.settings.cap * 1048576)) * 100)} % of the cap`) : null,
            main ? sum(titleOf(main.role), size(main.size), bytes(main.bytes)) : null,
            answer.seconds ? sum("Time", time(answer.seconds), answer.manifest.engine
                ? `engine: ${answer.manifest.engine}` : "passed through") : null),
        element("div", { class: "bars" }, bar("Before", before, ""), bar("After", after, "is-after")),
        answer.manifest.notes.length > 0
            ? element("p", { class: "hint", id: "notes" },
                answer.manifest.notes.map(sentence).join(" ")) : null);
}

function factsCard(answer) {
    const { header, media, manifest } = answer;
    const facts = header ? [
        ["Format", `${header.format}, ${header.coding}`],
        ["Length", bytes(header.fileBytes)],
        ["Stored size", `${size(header.storedSize)}, ${megapixels(header.storedSize)}`],
        ["Orientation", String(header.orientation)],
        ["Colour", [header.colourModel, header.chromaSubsampling, header.hasAlpha ? "alpha" : null,
            `${header.bitsPerSample} bits`].filter(Boolean).join(", ")],
        ["Profile", header.profileBytes ? `ICC, ${bytes(header.profileBytes)}` : "none"],
        ["Frames", header.frameCount === 1 ? "1, a still" : String(header.frameCount ?? "several")],
        ["Preview", header.previewSize ? size(header.previewSize) : "none"],
        ["Metadata", header.hasMetadata ? "present; not copied" : "none"],
        ["Gain map", header.gainMap ? `${header.gainMap}; not copied` : null],
    ] : [
        ["Format", [media.format, media.coding].filter(Boolean).join(", ")],
        ["Type", media.type],
        ["Length", bytes(media.fileBytes)],
        ["Duration", media.duration ? time(media.duration) : "not told"],
        ["Size", media.size ? size(media.size) : null],
    ];
    const worker = [
        ["Cap enforced by", answer.enforcement], ["Sandbox", answer.sandbox],
        ["Peak seen by the kernel", answer.memory?.kernelPeak ? memory(answer.memory.kernelPeak) : null],
        ["Placeholder", manifest?.placeholder], ["Average colour", manifest?.averageColour],
    ];
    return card("Facts", null, terms("facts", facts),
        element("details", {}, element("summary", {}, "Worker and placeholder"),
            terms("facts", worker)));
}

/** The findings, which stand above the phone; with none, a card says so. */
export function findingsCard({ findings, unchecked }) {
    const counts = ["error", "warning", "note"].map((severity) => [
        severity, findings.filter((finding) => finding.severity === severity).length,
    ]).filter(([, count]) => count > 0).map(([severity, count]) => `${count} ${severity}${count > 1 ? "s" : ""}`);
    return card("Check of the payload", counts.join(", ") || "no findings",
        findings.length === 0 ? element("p", {}, "Nothing in the payload keeps the notification from showing.")
            : element("ul", { class: "findings" }, findings.map((finding) => element("li", {
                class: `finding is-${finding.severity}`,
            },
            element("div", {}, element("span", { class: "severity" }, finding.severity),
                // Not as a sentence: it may begin with a key of the payload.
                finding.message),
            element("p", {}, `${sentence(finding.consequence)} `,
                element("strong", {}, "Remedy: "), sentence(finding.remedy))))),
        unchecked?.length > 0 ? element("details", {},
            element("summary", {}, "Not checked here"),
            element("p", {}, `${unchecked.map(({ what }) => sentence(what)).join(" ")} `
                + "Give their files to thimble check.")) : null);
}

const sentence = (text) => {
    const trimmed = (text ?? "").trim();
    if (!trimmed) return "";
    const capital = trimmed[0].toUpperCase() + trimmed.slice(1);
    return /[.!?]$/.test(capital) ? capital : `${capital}.`;
};
