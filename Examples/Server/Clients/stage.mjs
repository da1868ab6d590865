// Passes a payload through thimble-server before it is sent, and on as it is if anything goes wrong.
//
//     payload = await stage(payload)
//
// As a program: reads a payload from standard input and writes it to standard output. Node 18 or later, no packages.

import { pathToFileURL } from "node:url";

const url = process.env.THIMBLE_URL ?? "http://127.0.0.1:8080";
const token = process.env.THIMBLE_TOKEN;
// Seconds. Longer than the service may take, which answers by the deadline with what it has.
const deadline = Number(process.env.THIMBLE_DEADLINE ?? 10);

/** The payload with its picture made ready, or the same one. */
export async function stage(payload) {
    try {
        const headers = { "Content-Type": "application/json", "Thimble-Deadline": `${deadline}` };
        if (token) headers.Authorization = `Bearer ${token}`;
        const response = await fetch(`${url}/v1/stage`, {
            method: "POST", headers, body: JSON.stringify(payload),
            signal: AbortSignal.timeout((deadline + 1) * 1000),
        });
        // A proxy may answer in place of the service.
        if (!response.ok || !response.headers.has("Thimble-Outcome")) {
            throw new Error(`status ${response.status}`);
        }
        const staged = await response.json();
        return staged !== null && typeof staged === "object" && !Array.isArray(staged) ? staged : payload;
    } catch (error) {
        console.error(`not staged: ${error}`);
        return payload;
    }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href) {
    let text = "";
    for await (const part of process.stdin.setEncoding("utf8")) text += part;
    process.stdout.write(JSON.stringify(await stage(JSON.parse(text))));
}
