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
        /// `errno`, or 0.
        package let failure: Int32

        package init(_ value: Int, failure: Int32 = 0) {
            self.value = value
            self.failure = failure
        }
    }
}

/// Intercepts system calls, so that tests can make them fail and set the clock.
package protocol SystemCallInterposer: Sendable {
    /// Makes the call `body`, with a limit on the bytes read or written, or a fake one.
    func perform(
        _ call: SystemCall, _ body: (_ limit: Int) -> SystemCall.ReturnValue
    ) -> SystemCall.ReturnValue

    var now: Date { get }
}

extension SystemCallInterposer {
    package var now: Date { Date() }
}
