import AttachmentContainer
import ThimbleOptions

/// Limits of the container and of published objects, with the names of those of `thimble container prune`.
extension ServiceOption {
    static var pruning: [ServiceOption] {
        [
            pruneInterval, maxTotal, maxDays, maxCount, keepPublished, prunePublished,
        ]
    }

    static var pruneInterval: ServiceOption {
        .number(
            "prune-interval", \.pruneInterval, \.pruneInterval, 0...604_800, unit: "seconds",
            "Time between two prunings of the container, by any instance; 0 prunes never.")
    }
    static var maxTotal: ServiceOption {
        .limit(
            "max-total", \.maxTotal, \.maxTotal, ByteCount.megabytes(1)...ByteCount(1 << 50),
            "Limit on the bytes of all notifications and renditions; the oldest go first.",
            valueName: "bytes", parse: { ByteCount(parsing: $0) }, show: \.exact)
    }
    static var maxDays: ServiceOption {
        .limit(
            "max-days", \.maxDays, \.maxDays, 1...36_500,
            "Maximum age of a notification in days.", valueName: "days",
            parse: { Double($0) }, show: \.text)
    }
    static var maxCount: ServiceOption {
        .limit(
            "max-count", \.maxCount, \.maxCount, 1...100_000_000,
            "Maximum number of notifications; pruning takes a kilobyte of memory for each.",
            valueName: "number", parse: { Int($0) }, show: { "\($0)" })
    }
    static var keepPublished: ServiceOption {
        .number(
            "keep-published", \.keepPublished, \.keepPublished, 0...36_500, unit: "days",
            "Time for which a rendition is kept after its URL was last given out.")
    }
    static var prunePublished: ServiceOption {
        .answer(
            "prune-published", \.prunePublished, \.prunePublished,
            "Remove objects from --publish that this container's instances did not give out for "
                + "--keep-published; not for a store to which other containers publish.")
    }
}
