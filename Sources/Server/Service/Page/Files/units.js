// Numbers for people. Sizes of files are decimal, memory is in MiB, as everywhere in Thimble.

const mebibyte = 1 << 20;

/** A length such as `1.4 MB`. */
export function bytes(count) {
    if (count < 1000) return `${count} bytes`;
    const [value, unit] = count < 1e6 ? [count / 1e3, "kB"] : count < 1e9 ? [count / 1e6, "MB"]
        : [count / 1e9, "GB"];
    return `${value >= 100 ? Math.round(value) : trimmed(value)} ${unit}`;
}

/** Memory such as `11.6 MiB`. */
export const memory = (count) => `${trimmed(count / mebibyte)} MiB`;

/** Milliseconds or seconds. */
export const time = (seconds) =>
    seconds < 1 ? `${Math.round(seconds * 1000)} ms` : `${trimmed(seconds)} s`;

/** Pixels such as `4032 × 3024`. */
export const size = (pixels) => `${pixels.width} × ${pixels.height}`;

/** A size in megapixels. */
export const megapixels = (pixels) => `${trimmed(pixels.width * pixels.height / 1e6)} MP`;

/** The change from one length to another, such as `−93 %`. */
export function change(before, after) {
    if (!before) return "";
    const share = Math.round((after / before - 1) * 100);
    return share > 0 ? `+${share} %` : share < 0 ? `−${-share} %` : "0 %";
}

export const mebibytes = (count) => count / mebibyte;

const trimmed = (value) => value.toFixed(1).replace(/\.0$/, "");
