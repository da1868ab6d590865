import AttachmentContainer
import AttachmentModel
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// Receives attachments of requests: the body itself, or the file of a form.
struct UploadReading: Sendable {
    let container: SharedContainer
    let limit: ByteCount
    let quota: Quota
    let metrics: ServiceMetrics

    /// Receives the attachment and its label.
    ///
    /// Fields of the form take precedence over the head's fields.
    func receive(_ request: Request) async throws -> (Upload, AttachmentLabel) {
        let place = try quota.take()
        defer { _ = place }
        let connection = Connection.current
        connection?.readInLargeParts()
        defer { connection?.readInSmallParts() }
        let type = request.headers[.contentType] ?? ""
        let start = ContinuousClock.now
        defer { metrics.record(.receive, ContinuousClock.now - start) }
        var label = try request.label()
        if type.mediaType == "multipart/form-data" {
            try request.checkLength(limit.bytes + FormFields.limit)
            return try await receiveForm(request, type, label)
        }
        guard type.mediaType == "application/octet-stream" || type.isMedia else {
            throw Problem.unsupportedType(
                "the attachment's own type, such as image/heic", "application/octet-stream",
                "multipart/form-data", "application/json")
        }
        try request.checkLength(limit.bytes)
        var writer = try UploadWriter(in: container, limit: limit)
        for try await bytes in request.openBody() { try await writer.write(bytes) }
        try request.checkComplete()
        label = try label.checked()
        return (try await writer.finish(), label)
    }

    private func receiveForm(
        _ request: Request, _ type: String, _ label: AttachmentLabel
    ) async throws -> (Upload, AttachmentLabel) {
        guard let boundary = MultipartReader.boundary(of: type),
            var reader = MultipartReader(boundary: boundary)
        else { throw Problem.invalid("boundary", "1 to 70 characters in the content type") }
        var form = ReceivedForm(
            fields: FormFields(label: label), container: container, limit: limit)
        var count = 0
        for try await bytes in request.openBody() {
            // Everything counts: delimiters, heads of parts, and what is before and after them.
            count += bytes.readableBytes
            guard count <= limit.bytes + FormFields.limit else {
                throw Problem.tooLarge(limit.bytes)
            }
            let events: [MultipartReader.Event]
            do throws(MultipartReader.Failure) {
                events = try reader.append(bytes.readableBytesView)
            } catch {
                throw Problem.invalid("body", "multipart/form-data (RFC 7578)")
            }
            for event in events { try await form.receive(event) }
        }
        try request.checkComplete()
        guard reader.isComplete else { throw Problem.incomplete("the form's last delimiter") }
        return try await form.finish()
    }
}

/// What has arrived of a form: its file, written to the container, and its fields.
private struct ReceivedForm: ~Copyable {
    var fields: FormFields
    let container: SharedContainer
    let limit: ByteCount
    private var writer: UploadWriter? = nil
    /// Whether the part that arrives is the file; another file is a field without a name.
    private var isFile = false

    init(fields: FormFields, container: SharedContainer, limit: ByteCount) {
        self.fields = fields
        self.container = container
        self.limit = limit
    }

    mutating func receive(_ event: MultipartReader.Event) async throws {
        switch event {
        case .part(let name, let hasFileName):
            isFile = (hasFileName || name == "file") && writer == nil
            if isFile { writer = try UploadWriter(in: container, limit: limit) }
            try fields.begin(isFile ? nil : name)
        case .bytes(let part) where isFile: try await writer?.write(ByteBuffer(bytes: part))
        case .bytes(let part): try fields.append(part)
        case .end: isFile = false
        }
    }

    mutating func finish() async throws -> (Upload, AttachmentLabel) {
        guard let writer = writer.take() else {
            throw Problem.invalid("form", "one with a part named file")
        }
        let label = try fields.finish().checked()
        return (try await writer.finish(), label)
    }
}

/// Short fields of a form.
private struct FormFields {
    /// Bytes beside the file, at most: fields, and the form's own.
    static let limit = 64 << 10

    private(set) var label: AttachmentLabel
    private var name: String?
    private var bytes: [UInt8] = []
    private var total = 0
    private var presets: [Preset] = []

    init(label: AttachmentLabel) { self.label = label }

    mutating func begin(_ name: String?) throws(Problem) {
        try end()
        if let name, !Self.names.contains(name) {
            throw .unknown("part of the form", name, Self.names + ["file"])
        }
        self.name = name
    }

    mutating func append(_ part: ArraySlice<UInt8>) throws(Problem) {
        total += part.count
        guard total <= Self.limit else { throw .invalid("form", "at most 64 KiB beside the file") }
        if isField { bytes += part }
    }

    mutating func finish() throws(Problem) -> AttachmentLabel {
        try end()
        return label
    }

    private mutating func end() throws(Problem) {
        defer {
            bytes = []
            name = nil
        }
        guard let name, isField else { return }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .invalid(name, "UTF-8")
        }
        switch name {
        case "identifier": label.identifier = text
        case "category": label.category = text
        default:
            // The part may be repeated, and takes precedence over the head as a whole.
            presets += try AttachmentLabel.presets(text)?.presets ?? []
            label.presets = PresetSelection(presets)
        }
    }

    private static let names = ["identifier", "category", "preset"]

    private var isField: Bool { name.map(Self.names.contains) ?? false }
}

extension String {
    /// A content type without parameters, in lower case.
    var mediaType: String { prefix { $0 != ";" }.trimming(" \t").lowercased() }

    fileprivate var isMedia: Bool {
        ["image/", "audio/", "video/"].contains { mediaType.hasPrefix($0) }
    }
}
