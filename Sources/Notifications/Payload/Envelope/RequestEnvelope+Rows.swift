extension RequestEnvelope {
    /// A key of a request, and its part in staging and checks: a row of the guide's table.
    package struct Row: Sendable {
        /// The part of a key.
        package enum Part: Sendable, Equatable {
            /// An APNs payload.
            case body
            /// An object that the provider merges into the APNs payload.
            case merged
            /// A picture; `isIcon` for one that only follows the notification's picture.
            case picture(PictureSurface, isIcon: Bool, isFallback: Bool)
            /// A title or body.
            case alert
            /// A template that may have the texts.
            case template
            /// The category.
            case category
            /// The flag that calls the service extension.
            case mutableContent
            /// The object with the note.
            case note(isText: Bool)
        }

        /// The envelope.
        package let envelope: RequestEnvelope
        /// The path of the key.
        package let path: JSONPath
        /// The part of the key.
        package let part: Part

        /// Use of the key by `thimble stage`.
        package var stage: String {
            switch part {
            case .body: "note; pictures under the keys of all styles"
            case .merged: "pictures under the keys of all styles"
            case .picture(.content, _, true):
                "main rendition, unless an earlier key has another picture"
            case .picture(.content, _, _), .picture(.other, _, _): "main rendition"
            case .picture(let surface, true, _): "`\(surface.rawValue)`, of the same picture only"
            case .picture(let surface, false, _): "`\(surface.rawValue)`"
            case .note(isText: true): "note, as JSON text"
            case .note(isText: false): "note"
            case .alert, .template, .category, .mutableContent: "unchanged"
            }
        }

        /// The provider's documentation of the key.
        package var source: Source? {
            let source = envelope.sources.last { source in
                source.keys.contains { path.steps.starts(with: $0.steps) }
            }
            return source ?? envelope.sources.first
        }

        /// Use of the key by `thimble check`.
        package var check: String {
            switch part {
            case .body: "alert, category, `mutable-content` and size"
            case .picture(_, isIcon: false, _): "attachment"
            case .alert: "alert"
            case .template: "alert, which the template may have"
            case .category: "category"
            case .mutableContent: "`mutable-content`"
            case .merged, .picture, .note: "—"
            }
        }
    }

    /// The keys of the request, in the order of the guide's table.
    package var rows: [Row] {
        let row = { (part: Row.Part) in { Row(envelope: self, path: $0, part: part) } }
        let pictures = pictures.map { picture in
            row(
                .picture(
                    picture.surface, isIcon: !picture.isOwn, isFallback: picture.isFallback))(
                    picture.key.path)
        }
        var flags: [JSONPath] = []
        switch mutability {
        case .flag(let path), .flagOrPicture(let path, _), .bodyOrFlag(let path): flags = [path]
        case .body, .always: break
        }
        let parts: [(Row.Part, [JSONPath])] = [
            (.alert, titles + texts), (.template, templates),
            (.category, categories), (.mutableContent, flags),
        ]
        let isBody = note.map { bodies.contains($0.object) } ?? false
        let notes = note.flatMap { note in
            isBody ? nil : row(.note(isText: note.isText))(note.object)
        }
        return bodies.map(row(.body)) + merged.map(row(.merged)) + pictures
            + parts.flatMap { part, paths in paths.map(row(part)) } + [notes].compactMap(\.self)
    }

    /// The provider's documentation of the request.
    package var documentation: [Source] { sources }

    /// True if the provider sets `mutable-content` in every notification.
    package var isAlwaysMutable: Bool {
        if case .always = mutability { true } else { false }
    }
}
