extension AttachmentReference {
    /// The location without its private parts, for messages and logs.
    ///
    /// A URL loses user, query and fragment, which may carry secrets; a `data:` URL keeps its media type.
    /// Other locations are unchanged.
    public var publicLocation: String {
        guard kind == .remoteURL else { return location }
        if location.prefix(5).lowercased() == "data:" {
            return String(location.prefix { $0 != "," }.prefix(100)) + ",…"
        }
        let visible = location.prefix { $0 != "?" && $0 != "#" }
        guard let start = visible.firstRange(of: "://")?.upperBound else { return String(visible) }
        let authority = visible[start...].prefix { $0 != "/" }
        guard let at = authority.lastIndex(of: "@") else { return String(visible) }
        return String(visible[..<start]) + String(visible[visible.index(after: at)...])
    }
}
