/// The parts of a notification that a request states outside of an APNs payload.
extension RequestEnvelope {
    /// The notification of a request, with the request's attachments.
    func content(
        of document: JSONDocument, identifier: String, style: PayloadStyle
    ) -> NotificationContent {
        let body = bodies(in: document).first.flatMap { try? APNsPayload(body: $0.document) }
        var content =
            body?.content(identifier: identifier, style: .paths([]))
            ?? NotificationContent(identifier: identifier, isMutable: false)
        content.attachments = attachments(style, in: document)
        content.title = content.title ?? text(titles, in: document)
        content.body = content.body ?? text(texts, in: document)
        content.categoryIdentifier = content.categoryIdentifier ?? self.category(of: document)
        if body == nil {
            content.isMutable = isMutable(document)
        } else if case .bodyOrFlag = mutability, isMutable(document) {
            content.isMutable = true
        }
        content.hasAlert =
            [content.title, content.subtitle, content.body].contains { $0?.isEmpty == false }
            || templates.contains { document.value(at: $0) != nil }
        return content
    }

    /// The category of a request, outside of an APNs payload.
    func category(of document: JSONDocument) -> String? {
        categories.lazy.compactMap { document.value(at: $0)?.string }.first
    }

    /// The path of `aps` in the request's APNs payload; nil without one.
    func aps(in document: JSONDocument) -> JSONPath? {
        let body = bodies(in: document).first?.path ?? bodies.first
        return body?.appending(.key("aps"))
    }

    private func text(_ paths: [JSONPath], in document: JSONDocument) -> NotificationText? {
        for path in paths {
            switch document.value(at: path) {
            case .string(let text): return NotificationText(text)
            case .object(let languages):
                let text = languages.value(of: "en") ?? languages.first?.value
                if let text = text?.string { return NotificationText(text) }
            default: break
            }
        }
        return nil
    }

    private func isMutable(_ document: JSONDocument) -> Bool {
        switch mutability {
        case .body: false
        case .flag(let path), .bodyOrFlag(let path): document.value(at: path)?.flag ?? false
        case .flagOrPicture(let flag, let picture):
            document.value(at: flag)?.flag ?? false || document.value(at: picture) != nil
        case .always: true
        }
    }
}

extension APNsPayload {
    /// The place of a setting in a payload or a provider's request, for messages.
    public enum Setting: Sendable {
        /// The category.
        case category
        /// The title and body.
        case alert
        /// The flag that calls the service extension.
        case mutableContent
    }

    /// The path of a setting, present or not.
    ///
    /// - Parameter setting: The setting.
    /// - Returns: The path; nil for a setting that the provider's request cannot make.
    public func path(of setting: Setting) -> JSONPath? {
        let key =
            switch setting {
            case .category: "category"
            case .alert: "alert"
            case .mutableContent: "mutable-content"
            }
        guard let envelope else { return JSONPath(keys: "aps", key) }
        let inBody = envelope.aps(in: document)?.appending(.key(key))
        if let inBody, document.value(at: inBody) != nil { return inBody }
        switch setting {
        case .mutableContent where !envelope.bodies(in: document).isEmpty: return inBody
        case .category: return envelope.categories.first ?? inBody
        case .alert: return envelope.texts.last ?? inBody
        case .mutableContent:
            switch envelope.mutability {
            case .body, .bodyOrFlag: return inBody
            case .flag(let path), .flagOrPicture(let path, _): return path
            case .always: return nil
            }
        }
    }

    /// The category, which selects the content extension; nil without one.
    public var category: String? {
        guard let envelope else { return document.value(at: Self.categoryPath)?.string }
        let aps = envelope.aps(in: document)
        return aps.flatMap { document.value(at: $0.appending(.key("category")))?.string }
            ?? envelope.category(of: document)
    }

    private static let categoryPath = JSONPath(keys: "aps", "category")
}
