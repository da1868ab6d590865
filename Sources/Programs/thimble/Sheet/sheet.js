"use strict";
// Search, order and comparison of a contact sheet. Without scripts all rows are there, failures first.
{
    const list = document.getElementById("rows");
    // In the order of the file, which is failures first.
    const rows = [...list.children];
    const [search, show, order] = ["search", "show", "order"].map((name) => document.getElementById(name));
    const count = document.getElementById("count");
    const empty = document.getElementById("empty");
    const number = (row, name) => Number(row.dataset[name] ?? 0);
    const orders = {
        failures: () => 0,
        saving: (left, right) => number(right, "before") - number(right, "after")
            - number(left, "before") + number(left, "after"),
        peak: (left, right) => number(right, "peak") - number(left, "peak"),
        before: (left, right) => number(right, "before") - number(left, "before"),
        slow: (left, right) => number(right, "seconds") - number(left, "seconds"),
    };
    const texts = new Map(rows.map((row) => [row, row.dataset.text.toLowerCase()]));

    function apply() {
        const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
        let shown = 0;
        for (const row of rows) {
            const isShown = words.every((word) => texts.get(row).includes(word))
                && (!show.value || row.dataset.outcome === show.value
                    || (show.value === "noted" && row.dataset.noted !== undefined));
            // Every change costs a style, also one to the same value.
            if (row.hidden === isShown) row.hidden = !isShown;
            shown += isShown ? 1 : 0;
        }
        count.value = shown === rows.length ? `${rows.length} attachments` : `${shown} of ${rows.length} attachments`;
        empty.hidden = shown > 0;
    }

    function sort() {
        list.append(...[...rows].sort(orders[order.value]));
    }

    let pause = 0;
    search.addEventListener("input", () => {
        clearTimeout(pause);
        pause = setTimeout(apply, rows.length > 2000 ? 40 : 0);
    });
    show.addEventListener("change", apply);
    order.addEventListener("change", sort);
    apply();

    // Originals are only opened on request: one may have 48 megapixels.
    const dialog = document.getElementById("pair");
    const [title, before, after] = ["pair-title", "pair-before", "pair-after"].map((name) => document.getElementById(name));
    const words = ["pair-before-text", "pair-after-text"].map((name) => document.getElementById(name));
    list.addEventListener("click", (event) => {
        const button = event.target.closest("button.thumb");
        if (!button) return;
        const { source, rendition } = button.dataset;
        title.textContent = button.closest(".row").querySelector("h2").textContent;
        words[0].textContent = source ? `Before: ${button.dataset.before}` : "Before: not beside this page";
        words[1].textContent = `After: ${button.dataset.after}`;
        before.hidden = !source;
        if (source) before.src = source;
        after.src = rendition || button.querySelector("img").src;
        dialog.showModal();
    });
    before.addEventListener("error", () => {
        before.hidden = true;
        words[0].textContent += ". The file is missing, or its format is not for browsers.";
    });
    document.getElementById("pair-close").addEventListener("click", () => dialog.close());
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
    dialog.addEventListener("close", () => {
        // The event follows the closing, and may meet the next pair.
        if (dialog.open) return;
        for (const picture of [before, after]) picture.removeAttribute("src");
    });
}
