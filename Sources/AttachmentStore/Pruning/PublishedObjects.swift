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
                let destination = try Self.destination(of: records)
                objects += try Self.entries(of: records, destination).map {
                    PublishedObject($0, in: destination)
                }
            } catch {
                onFailure(error)
            }
        }
        try container.visitPublished { objects.append(PublishedObject($0, $1, $2)) }
        return objects.sorted {
            ($0.destination ?? "", $0.file) < ($1.destination ?? "", $1.file)
        }
    }

    static func destination(of records: ObjectRecords) throws(StoreError) -> StoreDestination {
        do throws(ContainerError) {
            if let found = try records.destination(as: StoreDestination.self) { return found }
        } catch {
            throw StoreError(.storage, destination: records.key, reason: error.reason)
        }
        throw StoreError(
            .storage, destination: records.key,
            reason: "the description of the destination is missing")
    }

    static func entries(
        of records: ObjectRecords, _ destination: StoreDestination
    ) throws(StoreError) -> [ObjectRecords.Entry] {
        var entries: [ObjectRecords.Entry] = []
        do throws(ContainerError) {
            try records.visit { (entry) throws(ContainerError) in entries.append(entry) }
        } catch {
            throw StoreError(error, destination)
        }
        return entries
    }
}
