package import AttachmentContainer
public import AttachmentModel

/// A cap on other processes, with the mechanism that this machine supports.
///
/// For each process, call ``makeGroup()`` and launch with the group's prefix. Without a group, use
/// a ``FootprintWatch``, or let the process limit itself (``Enforcement/rlimit``).
public struct HardCap: Sendable {
    /// Footprint that a process must never reach.
    public let cap: MemoryCap
    /// The mechanism in force.
    public let mechanism: Enforcement.Mechanism
    private let hierarchy: ControlGroupHierarchy?

    /// Selects the mechanism; one requested by name that is unavailable is an error.
    public init(_ cap: MemoryCap, by enforcement: Enforcement = .auto) throws(EnforcementError) {
        self.cap = cap
        switch enforcement {
        case .cgroup:
            let hierarchy = try ControlGroupHierarchy.delegated()
            self.hierarchy = hierarchy
            mechanism = hierarchy.mechanism
        case .auto:
            let hierarchy = try? ControlGroupHierarchy.delegated()
            self.hierarchy = hierarchy
            mechanism = hierarchy?.mechanism ?? (Self.hasDataLimit ? .dataLimit : .monitor)
        case .rlimit:
            guard Self.hasDataLimit else {
                throw EnforcementError(
                    .rlimit, "only Linux counts private mappings against RLIMIT_DATA")
            }
            (hierarchy, mechanism) = (nil, .dataLimit)
        case .monitor: (hierarchy, mechanism) = (nil, .monitor)
        }
    }

    /// Creates a group for one process; nil with other mechanisms.
    public func makeGroup() throws(EnforcementError) -> ControlGroup? {
        try hierarchy?.makeGroup(limit: cap.footprint)
    }

    /// True if the limit includes private mappings, as on Linux since 4.7 (setrlimit(2)).
    private static var hasDataLimit: Bool {
        #if os(Linux)
            true
        #else
            false
        #endif
    }
}

extension ControlGroupHierarchy {
    fileprivate var mechanism: Enforcement.Mechanism {
        version == .v2 ? .controlGroup2 : .controlGroup1
    }
}

extension HardCap {
    /// Memory beside the footprint that the mechanism counts.
    ///
    /// A group's limit includes kernel memory: page tables, stacks, mappings. For a worker that is
    /// up to 0.95 MB (measured with libvips 8.14.1); the planner's reserve covers the rest.
    package var overhead: ByteCount { ByteCount(countsPageCache ? 768 << 10 : 0) }

    /// True if pages of files count toward the limit until the kernel takes them back.
    var countsPageCache: Bool { mechanism == .controlGroup1 || mechanism == .controlGroup2 }

    /// The limit of `DataLimit` includes an estimate, so the supervisor measures too.
    var isWatched: Bool { mechanism == .monitor || mechanism == .dataLimit }
}
