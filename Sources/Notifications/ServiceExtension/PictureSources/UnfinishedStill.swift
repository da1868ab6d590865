import AttachmentContainer
import Foundation

/// A JPEG without an end, which its server or another process may still be writing.
struct UnfinishedStill {
    /// A camera writes a snapshot in one go; a longer pause means that its writer stopped.
    private static let longestPause = Duration.seconds(3)

    /// The last of its states.
    private(set) var picture: ReceivedPicture?
    private var longest = 0
    private var lastGrowth = ContinuousClock.now

    /// Keeps a picture in place of the last one; false if it has not grown for three seconds.
    ///
    /// Only growth beyond the longest state counts: snapshots that never have an end differ in length.
    mutating func mayGrow(_ picture: ReceivedPicture) -> Bool {
        discard()
        self.picture = picture
        if picture.length > longest { (longest, lastGrowth) = (picture.length, .now) }
        return lastGrowth.duration(to: .now) < Self.longestPause
    }

    /// Removes the picture, unless it is the app's own file.
    mutating func discard() {
        if let file = picture?.ownedFile { try? FileManager.default.removeItem(at: file) }
        picture = nil
    }
}

extension TransferFailure {
    /// The failure of a JPEG that may get its end later.
    static var unfinished: TransferFailure {
        var failure = TransferFailure(
            .download(DownloadError(.notReady, reason: "the JPEG has no end yet")))
        failure.isNotReady = true
        return failure
    }
}
