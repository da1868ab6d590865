// swift-tools-version: 6.2
import PackageDescription

// The Makefile builds this package in the build folder of the main package, which shares its modules.
let package = Package(
    name: "bench",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "thimble", path: ".."),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
    ],
    targets: [
        .program(
            "SamplePictures", in: "pictures",
            base + thimble("AttachmentPlanning", "AttachmentVips")),
        .module(
            "BenchmarkMeasuring", in: "measuring", thimble("AttachmentModel") + [.argumentParser]),
        .program(
            "throughput-benchmark", in: "throughput",
            ["BenchmarkMeasuring"] + thimble("PageCache"),
            without: ["resize.py", "run.sh"]),
        .program(
            "animation-benchmark", in: "animation", ["BenchmarkMeasuring"], without: ["run.sh"]),
        .program(
            "container-torture", in: "torture", thimble("AttachmentContainer", "Randomness"),
            without: ["run.sh"]),
        .program(
            "mutants", in: "mutants", base + worker + ["BenchmarkMeasuring", .logging],
            without: ["run.sh"]),
        .module(
            "CapMatrix", in: "matrix/CapMatrix",
            base + worker + thimble("AttachmentFormats", "AttachmentPlanning")),
        .program("cap-matrix", in: "matrix/Program", worker + ["BenchmarkMeasuring", "CapMatrix"]),
        .tests(
            "CapMatrixTests",
            base + worker + thimble("SampleMedia", "thimble-worker", "thimble-row-worker")
                + ["CapMatrix"]),
        .tests("ContainerTortureTests", ["container-torture"]),
    ]
)

// Built only by `make fuzz`, because libFuzzer provides the main function.
if Context.environment["THIMBLE_FUZZ"] != nil {
    let modules = thimble(
        "AttachmentFetch", "AttachmentFormats", "AttachmentJPEGXL", "AttachmentPipeline",
        "AttachmentPlanning", "AttachmentStore", "CCurl", "CJPEG", "CResampler",
        "NotificationCheck", "NotificationPayload", "SampleApps", "TransferProtocol",
        "WorkerProtocol")
    package.targets.append(
        .executableTarget(
            name: "fuzz", dependencies: base + modules, path: "fuzz/Fuzz", packageAccess: false,
            swiftSettings: Target.settings + [.unsafeFlags(["-parse-as-library"])]))
}

// `make sanitize` excludes workers, as the main package does.
if Context.environment["THIMBLE_SANITIZE"] != nil {
    package.targets.removeAll { !["container-torture", "ContainerTortureTests"].contains($0.name) }
}

typealias Dependencies = [Target.Dependency]

/// Modules of the main package.
func thimble(_ names: String...) -> Dependencies {
    names.map { .product(name: $0, package: "thimble") }
}

var base: Dependencies { thimble("AttachmentContainer", "AttachmentModel") }
var worker: Dependencies { thimble("AttachmentWorker", "Randomness", "WorkerProtocol") }

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser")
    }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
}

extension Target {
    /// Settings of every Swift target.
    ///
    /// The package name equals the main package's, which makes its `package` declarations visible.
    /// SwiftPM derives the main package's name from the folder.
    static var settings: [SwiftSetting] {
        var folder = Context.packageDirectory.split(separator: "/").dropLast().last ?? ""
        if folder.hasSuffix(".git") { folder = folder.dropLast(4) }
        var name = folder.lowercased().map { $0.isLetter || $0.isNumber ? $0 : "_" }
        if name.first?.isNumber == true { name[0] = "_" }
        return [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
            .unsafeFlags(["-package-name", String(name)]),
        ]
    }

    static func module(_ name: String, in folder: String, _ dependencies: Dependencies) -> Target {
        .target(
            name: name, dependencies: dependencies, path: folder, packageAccess: false,
            swiftSettings: settings)
    }

    static func program(
        _ name: String, in folder: String, _ dependencies: Dependencies,
        without excluded: [String] = []
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies + [.argumentParser], path: folder,
            exclude: excluded, packageAccess: false, swiftSettings: settings)
    }

    static func tests(_ name: String, _ dependencies: Dependencies) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, packageAccess: false, swiftSettings: settings)
    }
}
