extension RequestEnvelope {
    /// The attachments of a request, those that an Apple device shows first.
    ///
    /// Keys with the same location make one attachment. Keys for other platforms count if they have a
    /// URL, since they may name a resource of the app instead.
    func attachments(
        _ style: PayloadStyle, in document: JSONDocument
    ) -> [AttachmentReference] {
        if case .path = style { return document.attachments(style) }
        if case .paths = style { return document.attachments(style) }
        var collection = Collection()
        let isOwn = style == .auto || style == self.style
        let keys = isOwn ? pictures : []
        for picture in keys where picture.surface == .content && !picture.isFallback {
            collection.add(document.attachments(under: picture.key), of: picture)
        }
        for (path, body) in bodies(in: document) + objects(merged, in: document) {
            for key in style.mediaKeys {
                collection.add(body.attachments(under: key).map { $0.moved(to: path) })
            }
        }
        for picture in keys where picture.surface != .content || picture.isFallback {
            collection.add(document.attachments(under: picture.key), of: picture)
        }
        return collection.attachments
    }

    private func objects(
        _ paths: [JSONPath], in document: JSONDocument
    ) -> [(path: JSONPath, document: JSONDocument)] {
        paths.compactMap { path in document.document(at: path).map { (path, $0) } }
    }

    /// Attachments by location.
    private struct Collection {
        private(set) var attachments: [AttachmentReference] = []

        mutating func add(_ references: [AttachmentReference], of picture: Picture? = nil) {
            for var reference in references {
                reference.surface = surface(picture)
                if let known = attachments.firstIndex(where: { $0.location == reference.location })
                {
                    attachments[known].copies += reference.places
                } else if isAttachment(reference, picture) {
                    if attachments.contains(where: { $0.identifier == reference.identifier }) {
                        reference.identifier = String(attachments.count)
                    }
                    attachments.append(reference)
                }
            }
        }

        private func surface(_ picture: Picture?) -> PictureSurface {
            guard let picture else { return .content }
            let isOverridden = picture.isFallback && attachments.contains(where: \.isForApple)
            return isOverridden ? .other : picture.surface
        }

        private func isAttachment(_ reference: AttachmentReference, _ picture: Picture?) -> Bool {
            guard let picture else { return true }
            return picture.isOwn
                && (reference.surface == .content || reference.kind == .remoteURL)
        }
    }
}

extension JSONDocument {
    /// The attachments under the first key of a style that has any.
    fileprivate func attachments(_ style: PayloadStyle) -> [AttachmentReference] {
        style.mediaKeys.lazy.map(attachments(under:)).first { !$0.isEmpty } ?? []
    }
}

extension AttachmentReference {
    /// The reference in a document that encloses its own.
    fileprivate func moved(to base: JSONPath) -> AttachmentReference {
        var reference = self
        reference.path = path.map(base.appending)
        reference.typeHintPath = typeHintPath.map(base.appending)
        return reference
    }
}
