import AttachmentContainer
import HTTPTypes
import Hummingbird
import NIOCore

/// `GET` and `HEAD /v1/renditions/{folder}/{file}`.
struct RenditionsEndpoint: Sendable {
    let container: SharedContainer

    /// A file is sent in parts of this size, so that a slow client holds little memory.
    private static let block = 16 << 10

    func show(_ request: Request, _ context: ServiceContext) async throws -> Response {
        try request.checkQuery([])
        guard let folder = context.parameters.get("folder"),
            let name = context.parameters.get("file"),
            let file = await RenditionFile.open(folder: folder, name: name, in: container)
        else { throw Problem.notFound }
        let tag = "\"\(file.digest)\""
        var headers: HTTPFields = [
            .contentType: file.contentType, .eTag: tag, .acceptRanges: "bytes",
            // The name is the digest of the bytes, which therefore never change.
            .cacheControl: "public, max-age=31536000, immutable", .noSniff: "nosniff",
        ]
        if EntityTags.match(request.headers[.ifNoneMatch], tag) {
            return Response(status: .notModified, headers: headers)
        }
        // An If-Range that does not match asks for the whole file.
        let isCurrent = request.headers[.ifRange].map { $0.trimming(" ") == tag } ?? true
        let range = ByteRange(
            isCurrent && request.method == .get ? request.headers[.range] : nil,
            length: file.length)
        let part: Range<Int>
        switch range {
        case .whole: part = 0..<file.length
        case .part(let range): part = range
        case .unsatisfiable:
            throw Problem(
                416, "range-not-satisfiable", "Range not satisfiable",
                detail: "the range begins after the end of the file",
                remedy: "ask for a range within Content-Range",
                fields: [("content-range", "bytes */\(file.length)")])
        }
        if range != .whole {
            headers[.contentRange] =
                "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(file.length)"
        }
        headers[.contentLength] = "\(part.count)"
        return Response(
            status: range == .whole ? .ok : .partialContent, headers: headers,
            body: request.method == .head ? ResponseBody() : await body(of: file, part))
    }

    private func body(of file: RenditionFile, _ part: Range<Int>) async -> ResponseBody {
        guard part.count > Self.block else {
            return ResponseBody(byteBuffer: await file.bytes(in: part))
        }
        return ResponseBody(contentLength: part.count) { writer in
            var start = part.lowerBound
            while start < part.upperBound {
                let bytes = await file.bytes(in: start..<min(start + Self.block, part.upperBound))
                // A shorter file than announced ends the connection.
                guard bytes.readableBytes > 0 else { throw ChannelError.eof }
                start += bytes.readableBytes
                try await writer.write(bytes)
                if start < part.upperBound { await Connection.current?.passWrites() }
            }
            try await writer.finish(nil)
        }
    }
}
