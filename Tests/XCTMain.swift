import Dispatch
import Foundation
import Testing

/// Runs the tests with Swift Testing; there are none of XCTest.
///
/// SwiftPM's own entry point would search an index for those, and writing an index takes a fifth of
/// the compiler's time.
@main struct TestRunner {
    // Not async, because the linker would then confuse it with the tested command's main function.
    static func main() {
        guard CommandLine.arguments.contains("swift-testing") else {
            // `swift test` leaves Swift Testing out if a package has its own main function.
            print("run: swift test --enable-swift-testing --disable-xctest, or make test")
            exit(1)
        }
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
