public import AttachmentContainer

/// The container's records of published objects.
public struct PublishedObjects: Sendable {
    private let container: SharedContainer

    /// Reads the records of a container.
    public init(in container: SharedContainer) { self.container = container }

    /// All objects by destination, and the renditions that the container itself is served with.
    ///
    /// - Parameter onFailure: Receives destinations that cannot be read.
    /// - Returns: The objects, by destination and name.
    /// - Throws: `ContainerError` if the container cannot be read.
    public func all(
        onFailure: (StoreError) -> Void
    ) throws(ContainerError) -> [PublishedObject] {
        var objects: [PublishedObject] = []
        for records in try ObjectRecords.all(in: container) {
            do throws(StoreError) {
                guard let found = try Self.read(records) else { continue }
                objects += found.entries.map { PublishedObject($0, in: found.destination) }
            } catch {
                onFailure(error)
            }
        }
        try container.visitPublished { objects.append(PublishedObject($0, $1, $2)) }
        return objects.sorted {
            ($0.destination ?? "", $0.file) < ($1.destination ?? "", $1.file)
        }
    }

    /// The destination of records and its objects; nil if it has none.
    static func read(
        _ records: ObjectRecords, of known: StoreDestination? = nil
    ) throws(StoreError) -> (destination: StoreDestination, entries: [ObjectRecords.Entry])? {
        do throws(ContainerError) {
            var entries: [ObjectRecords.Entry] = []
            try records.visit { (entry) throws(ContainerError) in entries.append(entry) }
            // A publisher writes the description before its first record, so it is read after them; a
            // folder without records may still be without it.
            guard !entries.isEmpty else { return nil }
            if let known { return (known, entries) }
            if let found = try records.destination(as: StoreDestination.self) {
                return (found, entries)
            }
        } catch {
            throw StoreError(
                .storage, destination: known?.description ?? records.key, reason: error.reason)
        }
        throw StoreError(
            .storage, destination: records.key,
            reason: "the description of the destination is missing; "
                + "publishing to it writes it again")
    }
}
