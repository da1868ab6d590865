import Foundation

/// Extent of the tests that repeat a measurement for many pictures.
package enum Thoroughness {
    /// Whether every combination is requested, by `THIMBLE_THOROUGH=1`, as `make nightly` does.
    ///
    /// Otherwise these tests measure a selection, to keep `make test` short.
    package static var isFull: Bool {
        ProcessInfo.processInfo.environment["THIMBLE_THOROUGH"] == "1"
    }
}
