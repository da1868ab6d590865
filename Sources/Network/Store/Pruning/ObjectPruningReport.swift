public import AttachmentContainer
public import Foundation

/// Totals of a pruning of published objects.
public struct ObjectPruningReport: Sendable, Hashable, Codable {
    /// True if nothing was changed, and `removed` is a prediction.
    public let isDryRun: Bool
    /// Objects before pruning.
    public internal(set) var before = Tally()
    /// Removed objects.
    public internal(set) var removed = Tally()
    /// Unfinished files of killed publishers, removed from folders.
    public internal(set) var unfinished = Tally()
    /// Number of objects that were published or removed by another process meanwhile.
    public internal(set) var inUse = 0
    /// Number of failures; after a failure of a store its other objects stay.
    public internal(set) var failures = 0

    init(isDryRun: Bool) { self.isDryRun = isDryRun }

    /// Number and total length of objects.
    public struct Tally: Sendable, Hashable, Codable {
        /// Number of objects.
        public internal(set) var objects = 0
        /// Total length, without objects whose upload was interrupted.
        public internal(set) var bytes = ByteCount(0)

        mutating func count(_ length: Int?) {
            objects += 1
            bytes = ByteCount(bytes.bytes + (length ?? 0))
        }
    }
}

/// Progress of a running pruning of published objects.
public enum ObjectPruningEvent: Sendable {
    /// An object was, or in a dry run would be, removed.
    case removal(PublishedObject)
    /// A store or the container could not be used; what it has stays.
    case failure(StoreError)
}

/// An object in a store, as the container's record describes it.
public struct PublishedObject: Sendable, Hashable, Codable {
    /// The name below the prefix or the folder.
    public let file: String
    /// The destination; nil for a rendition in the container itself, under a URL that was given out.
    public let destination: String?
    /// The URL in the store itself.
    public let url: String?
    /// The length; nil if the upload was interrupted.
    public let bytes: ByteCount?
    /// Time when its URL was last given out.
    public let lastUse: Date
    /// Time of the last proof that it is there.
    public let verified: Date?
    /// True if a pruning began to remove it and was interrupted.
    public let isBeingRemoved: Bool

    init(_ entry: ObjectRecords.Entry, in destination: StoreDestination) {
        file = entry.file
        self.destination = destination.description
        url = destination.url(of: entry.file)
        bytes = entry.state.bytes.map { ByteCount($0) }
        lastUse = entry.lastUse
        verified = entry.state.verified.map { Date(timeIntervalSince1970: Double($0)) }
        isBeingRemoved = entry.state.removing != nil
    }

    init(_ file: String, _ bytes: ByteCount, _ lastUse: Date) {
        self.file = file
        destination = nil
        url = nil
        self.bytes = bytes
        self.lastUse = lastUse
        verified = nil
        isBeingRemoved = false
    }
}
