import AttachmentContainer
public import AttachmentModel
import NotificationDelivery
public import NotificationPayload

/// Makes inline pictures of pictures on this machine, for senders.
///
/// Payloads with the same picture share one encoding if their rooms are similar.
public final class InlinePictureMaker: Sendable {
    private struct Key: Hashable {
        let path: String
        let order: StillOrder
    }

    private typealias Outcome = Result<InlinePicture, InlineFailure>

    private let encoder: any StillEncoding
    private let known = Lock(RecentValues<Key, InlinePicture>(capacity: 1000))
    private let works = SharedWork<Key, Outcome>()

    /// Creates a maker.
    ///
    /// - Parameter encoder: The encoder, such as a `WorkerPool`.
    public init(_ encoder: any StillEncoding) { self.encoder = encoder }

    /// Makes the best picture that has at most so many bytes.
    ///
    /// - Parameters:
    ///   - path: The file, which must not change: results are kept by its path.
    ///   - bytes: The maximum length, in bytes, before base64url.
    ///   - side: The maximum length of the longer side, from 1 to 256 pixels. The default is 180.
    ///   - chroma: The chroma. The default is ``InlineChroma/halved``.
    ///   - deadline: The latest time of the answer. The default is nil.
    /// - Returns: The picture.
    /// - Throws: `InlineFailure` with the reason.
    public func picture(
        of path: String, atMost bytes: Int, side: Int = 180, chroma: InlineChroma = .halved,
        by deadline: ContinuousClock.Instant? = nil
    ) async throws(InlineFailure) -> InlinePicture {
        let key = Key(path: path, order: Self.order(bytes, side, chroma))
        if let picture = known.withLock({ $0[key] }) { return picture }
        let outcome: Outcome
        do throws(SharedWorkFailure) {
            outcome = try await works.value(of: key, until: deadline) { [encoder] latest in
                await Self.make(key, encoder, by: latest())
            }
        } catch {
            throw InlineFailure(error == .late ? .deadline : .cancelled)
        }
        let picture = try outcome.get()
        known.withLock { $0[key] = picture }
        return picture
    }

    /// True if a picture of 180 pixels is known, or another caller has it made.
    func needsNoWorker(of path: String, atMost bytes: Int, chroma: InlineChroma) -> Bool {
        let key = Key(path: path, order: Self.order(bytes, 180, chroma))
        return known.withLock { $0[key] } != nil || works.isInProgress(key)
    }

    private static func order(_ bytes: Int, _ side: Int, _ chroma: InlineChroma) -> StillOrder {
        var order = StillOrder(
            bytes: min(bytes, InlinePicture.maximumBytes) - InlinePicture.headerBytes)
        order.side = side
        order.keepsFullChroma = chroma == .full
        return order
    }

    private static func make(
        _ key: Key, _ encoder: any StillEncoding, by deadline: ContinuousClock.Instant?
    ) async -> Outcome {
        do throws(AttachmentError) {
            let request = AttachmentRequest(path: key.path, identifier: "", deadline: deadline)
            let still = try await encoder.encodeStill(request, key.order)
            return .success(try picture(of: still, key.order))
        } catch {
            return .failure(InlineFailure(error.fault))
        }
    }

    /// The worker is not trusted: what it gave must be a picture of the format and of its size.
    private static func picture(
        of still: EncodedStill, _ order: StillOrder
    ) throws(AttachmentError) -> InlinePicture {
        let picture: InlinePicture
        do throws(InlinePictureError) {
            picture = try InlinePicture(temporalUnit: still.temporalUnit)
        } catch {
            throw AttachmentError(.service, file: "", error.fault)
        }
        guard picture.width == still.size.width, picture.height == still.size.height,
            picture.frame.count <= order.bytes
        else {
            throw AttachmentError(
                .service, file: "", reason: "the worker's still has another size than it says")
        }
        return picture
    }
}
