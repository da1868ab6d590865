// The ladder of plans under any cap. The plans and their demands do not depend on the cap; only the
// choice does, by the same rule as PlanLadder.step(within:).

import { card, element } from "./dom.js";
import { memory, mebibytes, size } from "./units.js";

const names = {
    animated: "Animated", streamed: "Streamed", bounded: "Bounded", "whole-picture": "Whole picture",
    "file-backed": "File-backed", reduced: "Reduced", preview: "Preview",
};

/** Rungs judged under a cap in MiB, with the chosen one marked. */
export function judged(ladder, cap) {
    const work = Math.max(0, cap * 1048576 - ladder.baseline - ladder.reserve);
    let hasChosen = false;
    return ladder.rungs.map((rung) => {
        const demand = rung.predictedPeak - ladder.baseline;
        const fits = demand <= work / (rung.isSpacious ? 8 : 1);
        const isChosen = fits && !hasChosen;
        hasChosen ||= isChosen;
        return { ...rung, fits, isChosen, over: Math.max(0, demand - work) };
    });
}

/** The card of the ladder; `isPlanned` tells that the cap moved since the trial ran. */
export function ladderCard(ladder, cap, isPlanned) {
    const rungs = judged(ladder, cap);
    const most = Math.max(cap, ...rungs.map((rung) => mebibytes(rung.predictedPeak))) * 1.04;
    const chosen = rungs.find((rung) => rung.isChosen);
    return card("Ladder", `${memory(ladder.baseline)} are the process's own`,
        element("p", { id: "ladder-choice" }, chosen
            ? `${isPlanned ? "Under this cap" : "Chosen"}: ${chosen.plan}.`
            : `Refused: no rung stays under ${cap} MiB. The notification is delivered without a picture.`),
        element("ol", { class: "ladder", "aria-label": `Rungs under ${cap} MiB, best first` },
            rungs.map((rung) => row(rung, cap, most))));
}

function row(rung, cap, most) {
    const share = (value) => `${Math.min(100, (value / most) * 100).toFixed(2)}%`;
    const state = rung.isChosen ? "is-chosen" : rung.over > 0 ? "is-over" : "";
    return element("li", { class: `rung ${state}`, "aria-current": rung.isChosen ? "true" : null },
        element("strong", {}, names[rung.rung] ?? rung.rung),
        element("span", {}, size(rung.animationSize ?? rung.size)),
        element("span", { class: "track", "aria-hidden": "true" },
            element("i", { style: { width: share(mebibytes(rung.predictedPeak)) } }),
            element("b", { style: { left: share(cap) } })),
        element("span", { class: "rung-peak" }, memory(rung.predictedPeak)),
        element("span", { class: "rung-why" }, why(rung)));
}

function why(rung) {
    const engine = rung.engine === "libvips" ? "libvips" : "rows";
    if (rung.isChosen) return `Chosen: the best that fits. Engine: ${engine}.`;
    if (rung.over > 0) {
        const most = rung.terms.reduce((left, right) => (right.bytes > left.bytes ? right : left));
        return `${memory(rung.over)} too much; ${memory(most.bytes)} of it for ${most.name}.`;
    }
    return rung.isSpacious ? "Saves time, but takes more than an eighth of what is free."
        : "Not needed: a better one fits.";
}
