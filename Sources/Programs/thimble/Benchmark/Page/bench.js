"use strict";
// Shows the figures of a point under the pointer, and on focus. Without scripts, the browser shows
// them as titles.
{
    const tip = document.createElement("div");
    tip.className = "tip";
    tip.hidden = true;
    tip.setAttribute("role", "tooltip");
    document.querySelector("main").append(tip);
    for (const figure of document.querySelectorAll(".figure")) {
        const title = figure.querySelector("title");
        const text = title.textContent;
        figure.setAttribute("aria-label", text);
        title.remove();
        const show = () => {
            tip.textContent = text;
            tip.hidden = false;
            const box = figure.getBoundingClientRect();
            const { width, height } = tip.getBoundingClientRect();
            const left = Math.min(innerWidth - width - 8, Math.max(8, box.left + box.width / 2 - width / 2));
            const top = box.top - height - 8;
            tip.style.left = `${left}px`;
            tip.style.top = `${top < 8 ? box.bottom + 8 : top}px`;
        };
        const hide = () => { tip.hidden = true; };
        figure.addEventListener("pointerenter", show);
        figure.addEventListener("pointerleave", hide);
        figure.addEventListener("focus", show);
        figure.addEventListener("blur", hide);
    }
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") tip.hidden = true; });
}
