// The notification as a phone draws it; notification.css has the sizes.

import { byID, element } from "./dom.js";

const sampleText = {
    title: "Your picture of the day",
    body: "The title and body of a payload stand here.",
};

/** The switches above the drawing, which keep their choice from trial to trial. */
export class Phone {
    constructor() {
        this.choices = {
            stage: "expanded", shown: "picture",
            appearance: matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light",
        };
        byID("switches").append(
            this.makeSwitch("stage", "Stage", { collapsed: "Banner", expanded: "Expanded" }),
            this.makeSwitch("appearance", "Appearance", { light: "Light", dark: "Dark" }),
            this.makeSwitch("shown", "Shown", { picture: "Picture", placeholder: "Placeholder" }));
    }

    makeSwitch(name, label, options) {
        return element("fieldset", { class: "switch" },
            element("legend", { class: "visually-hidden" }, label),
            Object.entries(options).map(([value, text]) => element("label", {},
                element("input", {
                    type: "radio", name, value, checked: this.choices[name] === value,
                    onchange: () => {
                        this.choices[name] = value;
                        this.draw();
                    },
                }),
                element("span", {}, text))));
    }

    show(trial) {
        this.trial = trial;
        this.draw();
    }

    draw() {
        const { trial, choices } = this;
        if (!trial) return;
        const points = trial.settings?.width ?? 440;
        const text = trial.answer?.notification ?? sampleText;
        byID("screen").replaceChildren(element("div", {
            class: "screen", "data-appearance": choices.appearance,
        },
        element("p", { class: "screen-clock", "aria-hidden": "true" }, "9:41"),
        choices.stage === "collapsed"
            ? this.collapsed(text, points) : this.expanded(text, points)));
    }

    /** The picture for a role, or the placeholder while it would load; null without both. */
    picture(...roles) {
        const { pictures } = this.trial;
        const shown = this.choices.shown === "placeholder" ? [] : roles;
        // Without the preset `content` the phone finds no picture, and keeps the placeholder.
        return [...shown, "placeholder"].map((role) => pictures[role]).find(Boolean) ?? null;
    }

    collapsed(text, points) {
        const picture = this.picture("banner", "expanded");
        return element("article", {
            class: "notification", "data-stage": "collapsed", style: { "--points": points },
        },
        element("span", { class: "app-icon", "aria-hidden": "true" }, "T"),
        textBlock(text, true),
        picture ? element("img", { class: "notification-thumbnail", src: picture.url, alt: "The banner" })
            : null);
    }

    expanded(text, points) {
        const { answer, pictures } = this.trial;
        const ratio = answer?.manifest?.contentSizeRatio;
        const picture = this.picture("attachment", "expanded");
        const isPlayed = this.choices.shown === "picture" && pictures.media;
        const poster = this.picture("expanded")?.url;
        const player = isPlayed
            ? element(pictures.media.type, { src: pictures.media.url, controls: true, poster }) : null;
        const shown = player
            ?? (picture ? element("img", { src: picture.url, alt: "The expanded picture" }) : null);
        return element("article", {
            class: "notification", "data-stage": "expanded",
            style: { "--points": points, "--ratio": ratio || 0.5625 },
        },
        element("div", { class: "notification-head" },
            element("span", { class: "app-icon", "aria-hidden": "true" }, "T"),
            element("span", { class: "notification-app" }, "Your app"),
            element("span", { class: "notification-time" }, "now")),
        shown ? element("div", {
            class: "notification-picture",
            style: { "--average": answer?.manifest?.averageColour ?? "" },
        }, shown) : null,
        textBlock(text, false));
    }
}

function textBlock({ title, subtitle, body }, hasTime) {
    return element("div", { class: "notification-text" },
        element("div", { class: "notification-line" },
            element("p", { class: "notification-title" }, title || "Your app"),
            hasTime ? element("span", { class: "notification-time" }, "now") : null),
        subtitle ? element("p", { class: "notification-subtitle" }, subtitle) : null,
        body ? element("p", { class: "notification-body" }, body) : null);
}
