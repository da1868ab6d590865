import AttachmentContainer
public import AttachmentPlanning

/// A cap that other processes are kept under, by the mechanism that this machine really has.
///
/// For one process: ask ``makeGroup()`` for a group and launch with its prefix; where there is none,
/// watch the process with a ``FootprintWatch``, or let it limit itself (``Enforcement/rlimit``).
public struct HardCap: Sendable {
    /// The footprint that a process must never reach.
    public let cap: MemoryCap
    /// What enforces it.
    public let mechanism: Enforcement.Mechanism
    private let hierarchy: ControlGroupHierarchy?

    /// Finds the mechanism.
    ///
    /// - Parameters:
    ///   - cap: The footprint that a process must never reach.
    ///   - enforcement: What is asked for. The default is the strongest that there is.
    /// - Throws: `EnforcementError` when what was asked for by name cannot be had.
    public init(
        _ cap: MemoryCap, by enforcement: Enforcement = .auto
    ) throws(EnforcementError) {
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

    /// Makes a group for one process.
    ///
    /// - Returns: The group; nil when the mechanism is another.
    /// - Throws: `EnforcementError` when the system refuses.
    public func makeGroup() throws(EnforcementError) -> ControlGroup? {
        try hierarchy?.makeGroup(limit: cap.footprint)
    }

    /// Whether the limit counts what is mapped, not only the heap's break: Linux since 4.7
    /// (setrlimit(2)).
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
    /// The cap that plans are made for, when all of it is to be usable as footprint.
    ///
    /// A group's limit counts the kernel's own share of a process too: page tables, stacks, mappings.
    /// For a worker that is 0.7 MB at the start and up to 0.95 MB at work (measured with libvips
    /// 8.14.1); three quarters of a mebibyte come off here, and the planner's reserve is the rest.
    package var plannable: MemoryCap {
        switch mechanism {
        case .controlGroup1, .controlGroup2:
            MemoryCap(ByteCount(max(1, cap.footprint.bytes - 768 << 10)))
        case .dataLimit, .monitor: cap
        }
    }

    /// Whether the supervisor watches the footprint itself: where nothing else does, and where the
    /// limit rests on what libraries leave untouched (`DataLimit`).
    var isWatched: Bool { mechanism == .monitor || mechanism == .dataLimit }
}
