// The footprint of the worker over time, against the cap and the prediction.

import { card, element, shape } from "./dom.js";
import { memory, mebibytes } from "./units.js";

// Narrow windows get a narrow drawing, so that its text keeps its size.
let width = 640;
const height = 250;
const [left, right, top, bottom] = [44, 14, 18, 34];

/** The card of the chart; null if nothing was measured. */
export function footprintCard(answer, cap) {
    const samples = (answer.footprint ?? []).flatMap((worker) => worker.samples);
    if (samples.length < 2) return null;
    width = matchMedia("(max-width: 560px)").matches ? 330 : 640;
    const end = Math.max(...samples.map(([time]) => time), 1);
    const predicted = answer.memory?.predictedPeak ?? answer.manifest?.predictedPeak;
    const peak = Math.max(...samples.map(([, bytes]) => bytes), answer.memory?.measuredPeak ?? 0);
    const most = Math.max(cap, mebibytes(peak), mebibytes(predicted ?? 0)) * 1.12;
    const x = (time) => left + (time / end) * (width - left - right);
    const y = (mebi) => height - bottom - (mebi / most) * (height - top - bottom);
    const read = element("p", { class: "chart-read" });
    const summary = `Highest ${memory(peak)} of ${cap} MiB`
        + (predicted ? `; ${memory(predicted)} were predicted.` : ".");
    read.textContent = summary;
    const drawing = shape("svg", {
        viewBox: `0 0 ${width} ${height}`, role: "img", tabindex: "0",
        "aria-label": `Footprint of the worker over ${Math.round(end)} milliseconds. ${summary} `
            + "Arrow keys read single values.",
    },
    axes(end, most, x, y),
    answer.footprint.map(({ samples }) => curve(samples, x, y)),
    level(cap, `cap ${cap} MiB`, "cap", y),
    predicted ? level(mebibytes(predicted), "predicted", "predicted", y) : null);
    pointer(drawing, read, summary, samples, x, y);
    return card("Footprint", `${samples.length} samples in ${Math.round(end)} ms`,
        element("div", { class: "chart" }, drawing), read);
}

function axes(end, most, x, y) {
    const step = niceStep(most / 4);
    const marks = [];
    for (let value = 0; value <= most; value += step) {
        marks.push(shape("line", { class: "grid", x1: left, x2: width - right, y1: y(value), y2: y(value) }),
            shape("text", { x: left - 8, y: y(value) + 4, "text-anchor": "end" }, String(value)));
    }
    const pause = niceStep(end / (width / 128));
    for (let time = 0; time <= end; time += pause) {
        marks.push(shape("text", { x: x(time), y: height - 14, "text-anchor": "middle" },
            `${time}${time === 0 ? " ms" : ""}`));
    }
    return shape("g", {}, ...marks, shape("text", { x: 4, y: 10 }, "MiB"));
}

const niceStep = (least) => {
    const power = 10 ** Math.floor(Math.log10(Math.max(1, least)));
    return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least) ?? 10 * power;
};

function curve(samples, x, y) {
    if (samples.length === 0) return null;
    const points = samples.map(([time, bytes]) => `${x(time).toFixed(1)},${y(mebibytes(bytes)).toFixed(1)}`);
    const [first, last] = [x(samples[0][0]), x(samples.at(-1)[0])];
    return shape("g", {},
        shape("polygon", { class: "area", points: `${first},${y(0)} ${points.join(" ")} ${last},${y(0)}` }),
        shape("polyline", { class: "line", points: points.join(" ") }));
}

function level(value, text, className, y) {
    return shape("g", {},
        shape("line", { class: className, x1: left, x2: width - right, y1: y(value), y2: y(value) }),
        shape("text", {
            class: `${className}-text`, "text-anchor": "end",
            x: className === "cap" ? width - right - 4 : width - right - 96, y: y(value) - 5,
        }, text));
}

/** Shows the figures under the pointer, or those that arrow keys select. */
function pointer(drawing, read, summary, samples, x, y) {
    const cursor = shape("line", { class: "cursor", y1: top, y2: height - bottom });
    const point = shape("circle", { class: "point", r: 5 });
    let index = -1;
    const show = (next) => {
        index = next;
        if (index < 0) {
            cursor.remove();
            point.remove();
            read.textContent = summary;
            return;
        }
        const [time, bytes] = samples[index];
        cursor.setAttribute("x1", x(time));
        cursor.setAttribute("x2", x(time));
        point.setAttribute("cx", x(time));
        point.setAttribute("cy", y(mebibytes(bytes)));
        drawing.append(cursor, point);
        read.textContent = `${memory(bytes)} after ${Math.round(time)} ms`;
    };
    const nearest = (place) => samples.reduce(
        (best, [time], here) => (Math.abs(x(time) - place) < Math.abs(x(samples[best][0]) - place)
            ? here : best), 0);
    drawing.addEventListener("pointermove", (event) => {
        const box = drawing.getBoundingClientRect();
        show(nearest(((event.clientX - box.left) / box.width) * width));
    });
    drawing.addEventListener("pointerleave", () => show(-1));
    drawing.addEventListener("blur", () => show(-1));
    drawing.addEventListener("keydown", (event) => {
        const step = { ArrowRight: 1, ArrowLeft: -1, Home: -samples.length, End: samples.length }[event.key];
        if (!step) return;
        event.preventDefault();
        show(Math.min(samples.length - 1, Math.max(0, index + step)));
    });
}
