// The page: one list of trials, one of them shown, and settings that run it again.

import { cards, findingsCard } from "./cards.js";
import { byID, element } from "./dom.js";
import { listen } from "./intake.js";
import { Phone } from "./notification.js";
import { PresetChoice } from "./presets.js";

const state = { trials: [], shown: null, settings: null, token: "", limits: {} };
const phone = new Phone();
const inputs = { cap: byID("cap"), width: byID("width"), scale: byID("scale") };
const presets = new PresetChoice(settingsChanged);

/** The settings of the controls; those out of range keep their last value. */
function readSettings() {
    const width = inputs.width.valueAsNumber;
    state.settings = {
        cap: inputs.cap.valueAsNumber,
        width: inputs.width.checkValidity() && width > 0 ? width : state.settings?.width ?? 440,
        scale: Number(inputs.scale.value),
        presets: presets.names,
    };
    byID("cap-value").textContent = `${state.settings.cap} MiB`;
    inputs.cap.setAttribute("aria-valuetext", `${state.settings.cap} mebibytes`);
}

/** Adds trials, and runs them. */
function add(trials) {
    state.trials.push(...trials);
    return runAll(trials);
}

/** Runs trials one after the other, and shows the last. They wait for a token if they need one. */
async function runAll(trials) {
    for (const trial of trials) {
        if (state.limits.needsToken && !state.token) return askForToken();
        await run(trial);
    }
}

async function run(trial) {
    say(`Trying ${trial.name} …`, true);
    state.shown = trial;
    listTrials();
    if (!await trial.run(state.settings, state.token)) return;
    if (trial.needsToken) {
        trial.settings = trial.problem = null;
        if (state.token) byID("token-refused").textContent = "The service does not know this token.";
        Object.assign(state, { token: "", limits: { ...state.limits, needsToken: true } });
        return askForToken();
    }
    show(trial);
}

function show(trial) {
    state.shown = trial;
    if (!trial.settings) return;
    document.documentElement.classList.add("has-trials");
    byID("results").hidden = false;
    const findings = trial.answer?.findings ?? [];
    byID("check").replaceChildren(...(findings.length > 0 ? [findingsCard(trial.answer)] : []));
    phone.show(trial);
    showCards();
    revealResults();
    listTrials();
    const fault = findings.find(({ severity }) => severity === "error");
    say(trial.hasFailed ? `${trial.name}: ${(trial.problem ?? trial.answer.problem).detail}.`
        : fault ? `${trial.name} is not shown as drawn: ${fault.message}.`
            : `${trial.name} is ready.`, false);
}

/** Scrolls only where the result would begin below most of the window, as on a phone. */
function revealResults() {
    const results = byID("results");
    const { top } = results.getBoundingClientRect();
    if (top > innerHeight * 0.7) byID("status").scrollIntoView({ block: "start" });
}

function showCards() {
    byID("cards").replaceChildren(...cards(state.shown, state.settings));
}

function listTrials() {
    const list = byID("trials");
    list.hidden = state.trials.length < 2;
    list.replaceChildren(...state.trials.map((trial) => element("button", {
        type: "button", "aria-pressed": String(trial === state.shown),
        class: trial.hasFailed ? "has-failed" : null,
        onclick: () => (trial.settings ? show(trial) : null),
    }, trial.name)));
}

function say(text, isBusy) {
    byID("status").textContent = text;
    byID("status").classList.toggle("is-busy", isBusy);
}

function askForToken() {
    say("", false);
    byID("token").hidden = false;
    byID("token-text").focus();
}

function listenForToken() {
    const [form, input] = [byID("token"), byID("token-text")];
    form.addEventListener("submit", (event) => {
        event.preventDefault();
        state.token = input.value.trim();
        input.value = "";
        if (!state.token) return;
        form.hidden = true;
        byID("token-refused").textContent = "";
        runAll(state.trials.filter(({ settings }) => !settings));
    });
}

/** Tries again what is shown, under the new settings. */
function settingsChanged() {
    readSettings();
    const isWaiting = state.limits.needsToken && !state.token;
    if (state.shown && !isWaiting) run(state.shown);
}

function listenForSettings() {
    readSettings();
    byID("settings").addEventListener("submit", (event) => event.preventDefault());
    // While the slider moves, the plans are judged here; when it rests, the service tries again.
    inputs.cap.addEventListener("input", () => {
        readSettings();
        if (state.shown?.answer) showCards();
    });
    for (const input of Object.values(inputs)) {
        input.addEventListener("change", settingsChanged);
    }
}

function listenForTheme() {
    byID("theme").addEventListener("change", ({ target }) => {
        if (target.value) document.documentElement.dataset.theme = target.value;
        else delete document.documentElement.dataset.theme;
    });
}

/** The limits of this service, for the controls. */
async function readLimits() {
    const response = await fetch("page/limits", { cache: "no-store" });
    if (!response.ok) return;
    const limits = state.limits = await response.json();
    Object.assign(inputs.cap, { min: limits.cap.least, max: limits.cap.most, value: limits.cap.standard });
    inputs.width.value = limits.width;
    inputs.scale.value = String(limits.scale);
    if (!inputs.scale.value) inputs.scale.value = "3";
    presets.fill(limits);
    readSettings();
}

listenForSettings();
listenForTheme();
listenForToken();
listen(add);
readLimits().catch(() => {});
