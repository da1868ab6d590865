// A trial: what is tried, the request to the service, and its answer.

/** What the service could not do, with its reason and remedy. */
export class TrialProblem extends Error {
    constructor({ code, title, detail, remedy }) {
        super(detail);
        Object.assign(this, { code, title, detail, remedy });
    }
}

/** A picture or payload to try; answers belong to one set of settings. */
export class Trial {
    constructor(name, body, isPayload) {
        Object.assign(this, { name, body, isPayload, answer: null, problem: null, pictures: {} });
    }

    /** The length of the upload in bytes; of a payload's picture once it is known. */
    get bytes() {
        return this.answer?.manifest?.source.bytes ?? this.answer?.header?.fileBytes
            ?? this.answer?.media?.fileBytes ?? (this.isPayload ? null : this.body.size);
    }

    get hasFailed() { return Boolean(this.problem ?? this.answer?.problem); }

    /**
     * Sends the trial, and again if it is called meanwhile; false if an earlier call does so.
     *
     * One request at a time: the service has few places, and an aborted request keeps its own.
     */
    async run(settings, token) {
        this.next = { settings, token };
        if (this.isRunning) return false;
        this.isRunning = true;
        while (this.next) {
            const { settings: current, token: known } = this.next;
            this.next = null;
            await this.send(current, known);
        }
        this.isRunning = false;
        return true;
    }

    async send(settings, token) {
        const query = new URLSearchParams({
            cap: `${settings.cap}MiB`, width: settings.width, scale: settings.scale,
        });
        if (settings.presets.length > 0) query.set("preset", settings.presets.join());
        const headers = {
            "content-type": this.isPayload ? "application/json" : "application/octet-stream",
            "thimble-page": "1",
        };
        if (token) headers.authorization = `Bearer ${token}`;
        try {
            const response = await fetch(`page/trials?${query}`, {
                method: "POST", headers, body: this.body, cache: "no-store",
            });
            const answer = await response.json();
            if (!response.ok) throw new TrialProblem(answer);
            this.accept(answer, settings);
        } catch (error) {
            this.accept(null, settings);
            this.problem = error instanceof TrialProblem ? error : new TrialProblem({
                code: "unreachable", title: "No answer",
                detail: "the service did not answer, or not as expected",
                remedy: "see that thimble-server still runs, and try again",
            });
        }
    }

    /** True if the answer to the last request asks for a token. */
    get needsToken() { return this.problem?.code === "unauthorised"; }

    accept(answer, settings) {
        this.forget();
        Object.assign(this, { answer, problem: null, settings: { ...settings } });
        for (const [role, picture] of Object.entries(answer?.pictures ?? {})) {
            const blob = new Blob([decoded(picture.base64)], { type: picture.type });
            this.pictures[role] = { type: picture.type, url: URL.createObjectURL(blob) };
        }
        // Sound and movies are passed through byte for byte, so the upload itself can be played.
        const type = answer?.manifest?.renditions.find(({ role }) => role === "media")?.type;
        if (type && !this.isPayload) {
            const kind = answer.media?.size || /mpeg-4$|avi|mpeg$|video/.test(type) ? "video" : "audio";
            this.pictures.media = { type: kind, url: URL.createObjectURL(this.body) };
        }
    }

    /** Frees the pictures of the last answer. */
    forget() {
        for (const { url } of Object.values(this.pictures)) URL.revokeObjectURL(url);
        this.pictures = {};
    }
}

function decoded(base64) {
    const text = atob(base64);
    const bytes = new Uint8Array(text.length);
    for (let index = 0; index < text.length; index += 1) bytes[index] = text.charCodeAt(index);
    return bytes;
}
