#if canImport(UserNotifications)
    import AttachmentContainer
    import AttachmentDecryption
    public import Foundation
    import UserNotifications

    /// The source of a notification's picture, for Objective-C.
    @objc(THMPictureSource)
    public final class PictureSourceObject: NSObject, Sendable {
        let source: PictureSource

        private init(_ source: PictureSource) { self.source = source }

        /// Creates the source of a picture from a server.
        ///
        /// - Parameters:
        ///   - url: The URL.
        ///   - headers: The header fields, such as `Authorization`.
        @objc(initWithURL:headers:)
        public convenience init(url: URL, headers: [String: String]) {
            self.init(.request(PictureRequest(url, headers: headers)))
        }

        /// Creates the source of an encrypted picture of Matrix.
        ///
        /// An invalid object is a reason of the answer, which has no picture then.
        ///
        /// - Parameters:
        ///   - url: The URL.
        ///   - headers: The header fields, such as `Authorization`.
        ///   - matrixFile: The `file` object of the event.
        @objc(initWithURL:headers:matrixFile:)
        public convenience init(url: URL, headers: [String: String], matrixFile: [String: Any]) {
            var source = PictureSource.request(PictureRequest(url, headers: headers))
            do throws(DecryptionError) {
                source.decryption = try CounterDecryption(matrixFile: matrixFile)
            } catch {
                source = .failed(error)
            }
            self.init(source)
        }

        /// Creates the source of an encrypted picture, as in messages of Signal.
        ///
        /// An invalid key is a reason of the answer, which has no picture then.
        ///
        /// - Parameters:
        ///   - url: The URL.
        ///   - headers: The header fields.
        ///   - combinedKey: The AES key of 32 bytes, followed by the key of the code.
        ///   - digest: The SHA-256 digest of the whole file.
        @objc(initWithURL:headers:combinedKey:digest:)
        public convenience init(
            url: URL, headers: [String: String], combinedKey: Data, digest: Data
        ) {
            var source = PictureSource.request(PictureRequest(url, headers: headers))
            do throws(DecryptionError) {
                source.decryption = try ChainedDecryption(combinedKey: combinedKey, digest: digest)
            } catch {
                source = .failed(error)
            }
            self.init(source)
        }

        /// Creates the source of a picture in memory.
        ///
        /// - Parameter data: The file's bytes.
        @objc(initWithData:)
        public convenience init(data: Data) { self.init(.data(data)) }
    }

    extension PictureServiceExtension {
        /// Prepares the content by the handler of Objective-C, or else by the overridable method.
        func prepareContent(_ content: UNMutableNotificationContent) async throws {
            guard let prepareHandler else { return try await prepare(content) }
            let error: (any Error)? = await withCheckedContinuation { continuation in
                let answer = FirstAnswer(continuation)
                prepareHandler(content) { answer.give($0) }
            }
            if let error { throw error }
        }

        /// Finds the picture by the handler of Objective-C, or else by the overridable method.
        func findPicture(of content: UNNotificationContent) async throws -> PictureSource? {
            guard let pictureHandler else { return try await picture(of: content) }
            let found: PictureSourceObject? = await withCheckedContinuation { continuation in
                let answer = FirstAnswer(continuation)
                pictureHandler(content) { answer.give($0) }
            }
            return found?.source
        }
    }

    /// A continuation that further answers do not resume again.
    private final class FirstAnswer<Value: Sendable>: Sendable {
        private let continuation: Lock<CheckedContinuation<Value, Never>?>

        init(_ continuation: CheckedContinuation<Value, Never>) {
            self.continuation = Lock(continuation)
        }

        func give(_ value: Value) {
            continuation.withLock { continuation in
                defer { continuation = nil }
                return continuation
            }?.resume(returning: value)
        }
    }
#endif
