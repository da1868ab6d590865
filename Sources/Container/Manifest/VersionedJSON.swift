import Foundation

enum VersionedJSON {
    /// Limit on a file's length, so that a damaged file cannot exhaust the reader's memory.
    static let ceiling = ByteCount.mebibytes(1)

    struct Header: Codable {
        var formatVersion = FormatVersion.current
    }

    static func encode(_ value: some Encodable, for path: String) throws(ContainerError) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .iso8601
        guard let data = try? encoder.encode(value) else {
            throw ContainerError(
                .invalidManifest, path: path, reason: "a number in it is not finite")
        }
        guard data.count < ceiling.bytes else {
            throw ContainerError(
                .invalidManifest, path: path, reason: "it would be longer than \(ceiling)")
        }
        return data
    }

    static func read<Value: Decodable>(
        _ type: Value.Type, at path: String, by system: FileSystem
    ) throws(ContainerError) -> Value? {
        guard let data = try system.contents(of: path, ceiling: ceiling) else { return nil }
        let version: FormatVersion
        switch try decode(Versioned<Value>.self, from: data, path: path) {
        case .readable(let value): return value
        case .unreadable(let found): version = found
        }
        throw ContainerError(
            .unknownVersion, path: path,
            reason: "its format version is \(version), and this release knows "
                + "\(FormatVersion.current.major).x")
    }

    /// A value of a version that this release reads, in one pass over the text.
    private enum Versioned<Value: Decodable>: Decodable {
        case readable(Value)
        case unreadable(FormatVersion)

        init(from decoder: any Decoder) throws {
            let version = try Header(from: decoder).formatVersion
            let isReadable =
                (Value.self as? any VersionedFormat.Type)?.isReadable(version, from: decoder)
                ?? version.isReadable
            self = isReadable ? .readable(try Value(from: decoder)) : .unreadable(version)
        }
    }

    static func decode<Value: Decodable>(
        _ type: Value.Type, from data: Data, path: String
    ) throws(ContainerError) -> Value {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        do {
            return try decoder.decode(type, from: data)
        } catch {
            throw ContainerError(
                .corrupt, path: path, reason: "it does not follow the format",
                detail: codingPath(of: error))
        }
    }

    /// Not the decoder's own message, which may quote a value: values are private.
    private static func codingPath(of error: any Error) -> String {
        let context: DecodingError.Context? =
            switch error as? DecodingError {
            case .typeMismatch(_, let context), .valueNotFound(_, let context),
                .dataCorrupted(let context):
                context
            case .keyNotFound(let key, let context):
                .init(codingPath: context.codingPath + [key], debugDescription: "")
            default: nil
            }
        let path = context?.codingPath.map(\.stringValue).joined(separator: ".") ?? ""
        return path.isEmpty ? "JSON" : path
    }
}

extension FileSystem {
    fileprivate func contents(of path: String, ceiling: ByteCount) throws(ContainerError) -> Data? {
        guard let file = try openFile(at: path) else { return nil }
        var contents = Data()
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 16 << 10, alignment: 16)
        defer { buffer.deallocate() }
        while case let count = try fill(buffer, from: file, at: contents.count), count > 0 {
            contents.append(contentsOf: buffer[..<count])
            guard contents.count < ceiling.bytes else {
                throw ContainerError(.corrupt, path: path, reason: "it is longer than \(ceiling)")
            }
        }
        return contents
    }
}
