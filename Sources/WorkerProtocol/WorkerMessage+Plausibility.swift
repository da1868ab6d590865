import AttachmentContainer
import AttachmentIntake
import Foundation

extension WorkerMessage {
    /// Whether its numbers can be those of an attachment.
    ///
    /// A worker that was taken over says what it likes, and its supervisor reckons with it. Byte counts
    /// are not looked at here: what cannot be one is refused when it is read.
    package var isPlausible: Bool {
        guard case .done(let done) = self else { return true }
        return done.manifest.isPlausible
    }
}

extension Manifest {
    /// The years 0 to 9999, in seconds from 1970.
    ///
    /// The dates of a stored manifest have digits for no others (RFC 3339, section 5.6).
    private static let writableDates = -62_167_219_200.0..<253_402_300_800.0

    fileprivate var isPlausible: Bool {
        Self.writableDates.contains(created.timeIntervalSince1970) && source.isPlausible
            && renditions.allSatisfy { $0.isPlausible }
    }
}

extension Manifest.Source {
    fileprivate var isPlausible: Bool {
        size.isPlausible && (frames ?? 0).isCount && framesUsed.isCount
    }
}

extension Manifest.Rendition {
    fileprivate var isPlausible: Bool {
        size.isPlausible && (frames ?? 0).isCount && (loopCount ?? 0).isCount
    }
}

extension PixelSize {
    fileprivate var isPlausible: Bool { width.isCount && height.isCount }
}

extension Int {
    /// Whether it counts something: up to what every reader of JSON keeps exactly (RFC 8259, section
    /// 6).
    fileprivate var isCount: Bool { (0...1 << 53).contains(self) }
}
