package import Foundation

package struct SystemCall: Sendable, Hashable {
    package let name: Name
    /// The path argument; the new path for `rename` and `link`.
    package let path: String

    package enum Name: String, Sendable, CaseIterable {
        case stat, fstat, mkdir, open, pread, write, ftruncate, fsync, rename, link, unlink
        case utimensat, opendir, readdir
    }

    package struct ReturnValue: Sendable, Hashable {
        package let value: Int
        /// The value of `errno`; 0 for success.
        package let failure: Int32

        package init(_ value: Int, failure: Int32 = 0) {
            self.value = value
            self.failure = failure
        }
    }
}

/// Intercepts system calls, so that tests can make them fail and set the clock.
package protocol SystemCallInterposer: Sendable {
    /// Returns the outcome of `body`, which makes the call with a limit on the bytes read or
    /// written, or a fake one.
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue

    /// The container's clock; the system's by default.
    var now: Date { get }
}

extension SystemCallInterposer {
    package var now: Date { Date() }
}
