import Dispatch
import Testing

/// Runs the tests with Swift Testing; there are none of XCTest.
///
/// SwiftPM's own entry point would search an index for those, and writing an index takes a fifth of
/// the compiler's time.
@main struct TestRunner {
    // Not async, because the linker would then confuse it with that of the tested command.
    static func main() {
        // SwiftPM starts the program a second time, for XCTest.
        guard CommandLine.arguments.contains("swift-testing") else { return }
        Task { await Testing.__swiftPMEntryPoint() as Never }
        dispatchMain()
    }
}
