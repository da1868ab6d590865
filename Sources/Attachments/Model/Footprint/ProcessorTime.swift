internal import Foundation

package enum ProcessorTime {
    package static var ofChildren: Double { seconds([\.ru_utime, \.ru_stime]) }

    /// The part of it in the kernel.
    package static var ofChildrenInKernel: Double { seconds([\.ru_stime]) }

    private static func seconds(_ times: [KeyPath<rusage, timeval>]) -> Double {
        var usage = rusage()
        #if canImport(Glibc)
            getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
        #else
            getrusage(RUSAGE_CHILDREN, &usage)
        #endif
        return times.map { usage[keyPath: $0] }
            .reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
    }
}
