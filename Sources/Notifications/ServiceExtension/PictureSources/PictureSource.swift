public import AttachmentDecryption
public import Foundation

/// The source of a notification's picture, and its decryption.
///
/// ```swift
/// var source = PictureSource.request(
///     PictureRequest(url, headers: ["Authorization": "Bearer \(token)"]))
/// source.decryption = try CounterDecryption(matrixFile: file)
/// ```
public struct PictureSource: Sendable {
    enum Content: Sendable {
        case request(PictureRequest)
        case file(URL)
        case data(Data)
        case stream(@Sendable (any ByteSink) async throws -> Void)
        /// The app could not find the picture.
        case failure(SourceFailure)
    }

    let content: Content
    /// The decryption of the bytes.
    ///
    /// The default is nil: the bytes are the picture. With a decryption, ciphertext is stored in a file
    /// without a name, and decoders read the plaintext only after every byte was authenticated. Renditions
    /// are stored in the clear, as of other pictures, unless the extension seals them.
    public var decryption: (any StreamDecryption)?

    private init(_ content: Content) { self.content = content }

    /// A picture from a server.
    public static func request(_ request: PictureRequest) -> PictureSource {
        PictureSource(.request(request))
    }

    /// A picture in a file of the app, which stays where it is.
    public static func file(_ url: URL) -> PictureSource { PictureSource(.file(url)) }

    /// A picture in memory, such as one in the payload.
    public static func data(_ data: Data) -> PictureSource { PictureSource(.data(data)) }

    /// A picture whose parts an app provides, for transports other than HTTP.
    ///
    /// - Parameter parts: The parts in order, each of any length; iterated once, and cancelled at the
    ///   deadline.
    /// - Returns: The source.
    public static func stream<Parts: AsyncSequence & Sendable>(
        _ parts: Parts
    ) -> PictureSource where Parts.Element == Data {
        PictureSource(
            .stream { sink in
                for try await part in parts { try sink.append(part) }
            })
    }

    /// A source that an app failed to find.
    static func failed(_ error: any Error) -> PictureSource {
        PictureSource(.failure(SourceFailure(error)))
    }

    /// The URL of a request for an unencrypted picture; nil for other sources.
    var plainURL: URL? {
        guard decryption == nil, case .request(let request) = content else { return nil }
        return request.url
    }
}
