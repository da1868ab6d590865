package import Foundation

/// One system call that the container is about to make.
package struct SystemCall: Sendable, Hashable {
    /// Which call it is.
    package let name: Name
    /// The path that it is made on: for a move or a second name the new one.
    package let path: String

    /// The calls that the container makes on files and folders.
    package enum Name: String, Sendable, CaseIterable {
        case stat, fstat, mkdir, open, pread, write, ftruncate, fsync, rename, link, unlink
        case utimensat, opendir, readdir
    }

    /// What a call gave.
    package struct Outcome: Sendable, Hashable {
        /// What it returned: -1 when it failed.
        package let value: Int
        /// The error number that it left; 0 when it did not fail.
        package let failure: Int32

        /// Makes an outcome.
        ///
        /// - Parameters:
        ///   - value: What the call returned.
        ///   - failure: The error number that it left. The default is none.
        package init(_ value: Int, failure: Int32 = 0) {
            self.value = value
            self.failure = failure
        }
    }
}

/// Stands between the container and the system, where tests make calls fail and set the clock.
package protocol SystemCallInterposer: Sendable {
    /// Makes a call, or answers in its place.
    ///
    /// - Parameters:
    ///   - call: What is to be called.
    ///   - body: Makes the call, with the most bytes that it may read or write.
    /// - Returns: What the container is to believe that the call gave.
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.Outcome
    ) -> SystemCall.Outcome

    /// What the container is to believe that the time is; without an answer of its own the system's.
    var now: Date { get }
}

extension SystemCallInterposer {
    /// The system's time.
    package var now: Date { Date() }
}
