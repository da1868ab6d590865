import AttachmentContainer
import AttachmentModel
import NotificationCheck
import Foundation
import NotificationPayload
import WorkerProtocol

extension FuzzTarget {
    /// Parsers of text and messages.
    static let documents = [
        FuzzTarget("payload", seeds: payloads, read: readPayload),
        FuzzTarget("payload-stream", read: splitPayloads),
        FuzzTarget("payload-style", seeds: styles, read: readStyle),
        FuzzTarget("property-list-xml", read: readPropertyList),
        FuzzTarget("property-list-binary", read: readPropertyList),
        FuzzTarget("display-options") { input in
            _ = try? PropertyListFile(Data(input.bytes), path: "input", allowsJSON: true)
        },
        FuzzTarget("worker-protocol", seeds: messages, read: readMessages),
        FuzzTarget("thumbhash") { input in
            guard let hash = ThumbHash(bytes: input.bytes) else { return }
            let raster = hash.raster()
            precondition(raster.size.width <= 32 && raster.size.height <= 32)
            precondition(raster.rgba.count == raster.size.pixelCount * 4)
            precondition(hash.approximateRatio.isFinite && hash.approximateRatio > 0)
        },
    ]

    private static func readPayload(_ input: FuzzInput) {
        let text = String(decoding: input.bytes.prefix(256), as: UTF8.self)
        if let path = try? JSONPath(parsing: text) {
            precondition((try? JSONPath(parsing: path.description)) == path)
        }
        guard let payload = try? APNsPayload(parsing: input.bytes) else { return }
        precondition(payload.bytes == input.bytes)
        let content = payload.content(identifier: "input")
        precondition((try? payload.writing(content)) == payload)
        let note = DeliveryNote(outcome: .rendition, identifier: "input", contentSizeRatio: 0.75)
        let edit = payload.adding(note)
        precondition(edit.payload.size <= max(APNsPayload.maximumSize, payload.size))
        if edit.outcome == .complete { precondition(edit.payload.note == note) }
        for attachment in content.attachments {
            let moved = payload.replacing(attachment, with: "file:///a%20b\u{1}")
            precondition((try? APNsPayload(parsing: moved.payload.bytes)) != nil)
        }
    }

    /// A payload of Apple, and a request of a provider.
    private static func payloads() -> [[UInt8]] {
        [
            #"{"aps":{"alert":{"title":"a"},"mutable-content":1},"attachment-url":"a.jpg"}"#,
            #"{"message":{"token":"t","notification":{"image":"https://a.example/b.png"},"#
                + #""apns":{"payload":{"aps":{}},"fcm_options":{"image":"https://a.example/b"}}}}"#,
        ].map { Array($0.utf8) }
    }

    /// A custom style on the first line, and a payload in which it finds attachments.
    private static func readStyle(_ input: FuzzInput) {
        let line = input.bytes.prefix { $0 != UInt8(ascii: "\n") }
        guard let style = try? PayloadStyle(parsing: line), case .paths(let paths) = style else {
            return
        }
        precondition(1...PayloadStyle.maximumPaths ~= paths.count)
        for path in paths.flatMap({ [$0.path] + ($0.type.map { [$0] } ?? []) }) {
            precondition((try? JSONPath(parsing: path.description)) == path)
        }
        guard let payload = try? APNsPayload(parsing: input.bytes.dropFirst(line.count)) else {
            return
        }
        for attachment in payload.attachments(style) {
            precondition(!attachment.location.isEmpty)
            let edit = payload.replacing(attachment, with: "file:///a%20b\u{1}")
            precondition((try? APNsPayload(parsing: edit.payload.bytes)) != nil)
        }
    }

    private static func styles() -> [[UInt8]] {
        [
            #"["data.hero",{"path":"data.picture.url","type":"data.picture.kind"}]"#
                + "\n"
                + #"{"aps":{},"data":{"picture":{"url":"a.jpg","kind":"jpg"}}}"#,
            #"["a[0].b\\.c","media"]"#
                + "\n"
                + #"{"aps":{},"a":[{"b.c":["x.png","y.png"]}],"media":{"i":"z.gif"}}"#,
            #"[{"path":"a[1]"}]"# + "\n" + #"{"aps":{},"a":["x",{"url":"y","url_id":"z"}]}"#,
            // A provider's request.
            #"["data.hero","media"]"# + "\n"
                + #"{"message":{"data":{"hero":"a.jpg"},"apns":{"payload":{"aps":{}}}}}"#,
        ].map { Array($0.utf8) }
    }

    /// A stream must yield the same payloads however it is split.
    private static func splitPayloads(_ input: FuzzInput) {
        var whole = PayloadSplitter()
        let expected = whole.append(input.bytes) + whole.finish()
        var cut = PayloadSplitter()
        let size = 1 + Int(input.bytes.first ?? 0) % 7
        var pieces: [PayloadSplitter.Piece] = []
        for start in stride(from: 0, to: input.bytes.count, by: size) {
            pieces += cut.append(input.bytes[start..<min(start + size, input.bytes.count)])
        }
        pieces += cut.finish()
        // Passed-on bytes are joined only within one call.
        precondition(pieces.flatMap(\.bytes) == input.bytes)
        precondition(documentsAndRefusals(pieces) == documentsAndRefusals(expected))
    }

    private static func documentsAndRefusals(
        _ pieces: [PayloadSplitter.Piece]
    ) -> [PayloadSplitter.Piece] {
        pieces.filter {
            switch $0 {
            case .document, .refused: true
            case .refusedLines, .verbatim: false
            }
        }
    }

    private static func readPropertyList(_ input: FuzzInput) {
        let data = Data(input.bytes)
        _ = try? PropertyListFile(data, path: "input")
        _ = try? Profile(infoPlist: data, source: "input")
    }

    private static func readMessages(_ input: FuzzInput) {
        let middle = input.bytes.count / 2
        var orders = FrameBuffer()
        for part in [input.bytes[..<middle], input.bytes[middle...]] {
            orders.append(part)
            while (try? orders.next(SupervisorMessage.self)) != nil {}
        }
        var answers = FrameBuffer()
        answers.append(input.bytes)
        while (try? answers.next(WorkerMessage.self)) != nil {}
    }

    private static func messages() -> [[UInt8]] {
        let orders: [SupervisorMessage] = [
            .configuration(
                WorkerConfiguration(
                    settings: ProcessingSettings(), overhead: ByteCount(0),
                    ownLimit: .serviceExtension,
                    sandbox: .automatic, limits: ResourceLimits())),
            .request(WorkerRequest(below: .streamed, known: .reduced)),
            .inspect,
            .still(StillRequest(StillOrder(bytes: 2400), time: .seconds(1))),
        ]
        let answers: [WorkerMessage] = [
            .unable(.unable("no", remedy: "none")),
            .started(WorkerStarted(rung: .streamed, predictedPeak: ByteCount(9))),
        ]
        return orders.compactMap { (try? Frame.encode($0)).map { [UInt8]($0) } }
            + answers.compactMap { (try? Frame.encode($0)).map { [UInt8]($0) } }
    }
}
