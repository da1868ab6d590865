// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "thimble",
    platforms: [.macOS(.v15), .iOS(.v18), .visionOS(.v2)],
    products: [
        "AttachmentContainer", "AttachmentModel", "AttachmentPlanning", "AttachmentPublishing",
        "AttachmentPipeline", "AttachmentWorker", "WorkerProtocol", "NotificationPayload",
        "NotificationDelivery", "NotificationAdapters", "NotificationCheck",
        "NotificationContentAdapter",
    ].map { .library(name: $0, targets: [$0]) }
        + ["thimble", "thimble-worker", "show-notification"].map {
            .executable(name: $0, targets: [$0])
        },
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        // C libraries
        .systemLibrary("CVips", pkgConfig: "vips", apt: "libvips-dev", brew: "vips"),
        .systemLibrary("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
        .systemLibrary("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev", brew: "webp"),
        .systemLibrary("CDav1d", pkgConfig: "dav1d", apt: "libdav1d-dev", brew: "dav1d"),
        .systemLibrary("CDe265", pkgConfig: "libde265", apt: "libde265-dev", brew: "libde265"),
        .systemLibrary("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev", brew: "zlib"),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .target(name: "CScratchHeap"),
        .systemLibrary(name: "CFileSystem"),
        .systemLibrary(name: "CMessages"),
        .systemLibrary(name: "CSandbox"),

        // Attachments
        .module(
            "AttachmentContainer",
            [
                .target(name: "CCrypto", condition: .when(platforms: [.linux]))
            ]),
        .module("AttachmentModel", ["AttachmentContainer"]),
        .module("AttachmentPlanning", ["AttachmentContainer", "AttachmentModel"]),
        .module("AttachmentPublishing", ["AttachmentContainer", "AttachmentModel"]),
        .module(
            "AttachmentFormats",
            [
                "AttachmentContainer", "AttachmentModel", "CDav1d", "CDe265", "CFileSystem",
                "CTIFF", "CWebP", "CZlib",
            ]),
        .module(
            "AttachmentPipeline",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "AttachmentPublishing", "CVips", .logging,
            ]),

        // Workers
        .module(
            "WorkerProtocol",
            ["AttachmentContainer", "AttachmentModel", "CMessages", "CSandbox"]),
        .module(
            "AttachmentWorker",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentPublishing", "WorkerProtocol",
                .logging, .subprocess, .systemPackage,
            ]),

        .module(
            "WorkerSession",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentFormats", "AttachmentPipeline",
                "CScratchHeap", "WorkerProtocol",
            ]),

        // Notifications
        .module("NotificationPayload"),
        .module(
            "NotificationDelivery",
            ["AttachmentContainer", "AttachmentModel", "NotificationPayload", .logging]),
        .module(
            "NotificationCheck",
            ["AttachmentContainer", "AttachmentModel", "NotificationPayload"]),
        .module(
            "NotificationAdapters",
            [
                "AttachmentContainer", "AttachmentModel", "NotificationDelivery",
                "NotificationPayload",
            ]),
        .module("NotificationContentAdapter", ["AttachmentContainer"]),

        // Programs
        .program(
            "thimble",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentPublishing",
                "AttachmentWorker", "NotificationCheck", "NotificationDelivery",
                "NotificationPayload", "WorkerProtocol", "thimble", .argumentParser, .logging,
                .subprocess, .systemPackage,
            ]),
        .program("thimble-worker", ["AttachmentPipeline", "WorkerSession"]),
        .program("show-notification", ["AttachmentContainer"], path: "Examples/ShowNotification"),

        // Benchmarks and long campaigns
        .program(
            "SamplePictures",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentPipeline",
                "AttachmentPlanning", .argumentParser,
            ], path: "bench/pictures"),
        .module(
            "BenchmarkMeasuring",
            ["AttachmentModel", .argumentParser], path: "bench/measuring"),
        .program(
            "throughput-benchmark",
            ["BenchmarkMeasuring", .argumentParser], path: "bench/throughput"),
        .program(
            "animation-benchmark",
            ["BenchmarkMeasuring", .argumentParser], path: "bench/animation"),
        .program(
            "container-torture",
            ["AttachmentContainer", "Randomness", .argumentParser], path: "bench/torture"),
        .program(
            "mutants",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "BenchmarkMeasuring",
                "WorkerProtocol", "Randomness", .argumentParser, .logging,
            ], path: "bench/mutants"),
        .module(
            "CapMatrix",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "AttachmentWorker", "WorkerProtocol", "Randomness",
            ], path: "bench/matrix/CapMatrix"),
        .program(
            "cap-matrix",
            ["AttachmentWorker", "BenchmarkMeasuring", "CapMatrix", "Randomness", .argumentParser],
            path: "bench/matrix/Program"),

        // Tests
        .module(
            "AnimationReference",
            ["AttachmentFormats"], path: "Tests/AnimationReference",
            exclude: ["decode_animations.py", "write_animations.py", "write_large_animations.py"]),
        .module(
            "SampleMedia", ["AttachmentContainer", "AttachmentFormats", "AttachmentModel"],
            path: "Tests/SampleMedia"),
        .module("Randomness", path: "Tests/Randomness"),
        .systemLibrary(name: "CEscapes", path: "Tests/CEscapes"),
        .program("sandbox-escapes", ["CEscapes", "WorkerProtocol"], path: "Tests/SandboxEscapes"),
        .program("heap-zeros", ["CScratchHeap"], path: "Tests/HeapZeros"),
        .program(
            "hostile-worker",
            ["AttachmentContainer", "AttachmentModel", "CEscapes", "WorkerProtocol"],
            path: "Tests/HostileWorker"),
        .program(
            "pbm-worker",
            ["AttachmentContainer", "AttachmentFormats", "AttachmentModel", "WorkerSession"],
            path: "Tests/PBMWorker"),
        .tests(
            "NewFormatTests",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "thimble",
                "WorkerProtocol", "pbm-worker",
            ]),
        .tests(
            "CapMatrixTests",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "CapMatrix",
                "SampleMedia", "thimble-worker",
            ]),
        .tests(
            "AnimationTests",
            [
                "AnimationReference", "AttachmentPipeline", "AttachmentContainer",
                "AttachmentFormats", "AttachmentModel", "AttachmentPlanning", "Randomness",
            ]),
        .tests(
            "AttachmentContainerTests",
            ["AttachmentContainer", "container-torture"],
            exclude: ["Vectors/make_thumbhash_vectors.py"],
            resources: [.copy("Vectors/thumbhash.json")]),
        .tests(
            "NotificationCheckTests",
            [
                "AttachmentContainer", "AttachmentModel", "NotificationCheck", "Randomness",
                "SampleMedia",
            ]),
        .tests(
            "AttachmentFormatsTests",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "CWebP", "CZlib",
                "Randomness", "SampleMedia",
            ], exclude: ["TIFF/write_tiffs.py"]),
        .tests(
            "NotificationAdaptersTests",
            [
                "AttachmentContainer", "NotificationAdapters", "AttachmentModel",
                "NotificationDelivery", "NotificationPayload", "SampleMedia",
            ]),
        .tests("FootprintTests", ["AttachmentContainer", "AttachmentModel"]),
        .tests(
            "AttachmentPipelineTests",
            [
                "AnimationReference", "AttachmentContainer", "AttachmentModel", "AttachmentFormats",
                "AttachmentPipeline", "AttachmentPlanning", "Randomness", "SampleMedia",
            ]),
        .tests(
            "AttachmentPlanningTests",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "Randomness",
            ]),
        .tests(
            "AttachmentWorkerTests",
            [
                "AnimationReference", "AttachmentContainer", "AttachmentFormats", "AttachmentModel",
                "AttachmentPublishing", "AttachmentWorker", "SampleMedia", "WorkerProtocol",
                "heap-zeros", "hostile-worker", "thimble-worker", .logging,
            ]),
        .tests("NotificationPayloadTests", ["NotificationPayload", "Randomness"]),
        .tests(
            "NotificationDeliveryTests",
            [
                "AttachmentContainer", "AttachmentModel", "NotificationDelivery",
                "NotificationPayload", "SampleMedia", .logging,
            ]),
        .tests(
            "BenchmarkTests",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentWorker",
                "thimble",
            ]),
        .tests("SandboxTests", ["WorkerProtocol", "sandbox-escapes"]),
        .tests(
            "ThimbleTests",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentPipeline",
                "AttachmentPublishing", "AttachmentWorker", "CZlib", "WorkerProtocol",
                "SampleMedia", "thimble", "thimble-worker",
            ]),
    ]
)

extension Target {
    /// Settings of every Swift target; the tools version implies Swift 6 language mode.
    static var strict: [SwiftSetting] {
        [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
    }

    static func module(
        _ name: String, _ dependencies: [Dependency] = [], path: String? = nil,
        exclude: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: path, exclude: exclude,
            swiftSettings: strict)
    }

    static func program(
        _ name: String, _ dependencies: [Dependency], path: String? = nil
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: path, swiftSettings: strict)
    }

    static func tests(
        _ name: String, _ dependencies: [Dependency], exclude: [String] = [],
        resources: [Resource] = []
    ) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, exclude: exclude, resources: resources,
            swiftSettings: strict)
    }

    static func systemLibrary(
        _ name: String, pkgConfig: String, apt: String, brew: String
    ) -> Target {
        .systemLibrary(
            name: name, pkgConfig: pkgConfig, providers: [.apt([apt]), .brew([brew])])
    }
}

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser")
    }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var subprocess: Self { .product(name: "Subprocess", package: "swift-subprocess") }
    static var systemPackage: Self { .product(name: "SystemPackage", package: "swift-system") }
}

// Built only by `make fuzz`, because libFuzzer provides the main function.
if Context.environment["THIMBLE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AttachmentPipeline", "AttachmentContainer", "AttachmentModel", "AttachmentFormats",
                "AttachmentPlanning", "AttachmentPublishing", "NotificationPayload",
                "WorkerProtocol",
            ],
            path: "bench/fuzz/Fuzz",
            swiftSettings: Target.strict + [.unsafeFlags(["-parse-as-library"])]
        ))
}

// `make sanitize` excludes workers, whose cap and sandbox leave no room for a sanitizer, and tests
// of footprints, which would include the sanitizer's memory. The thread sanitizer also excludes
// libvips, whose synchronisation it does not recognise.
if let sanitizer = Context.environment["THIMBLE_SANITIZE"] {
    var unsuited: Set = [
        "thimble", "thimble-worker", "mutants", "throughput-benchmark", "sandbox-escapes",
        "CapMatrix", "cap-matrix", "CapMatrixTests", "heap-zeros", "hostile-worker",
        "WorkerSession", "pbm-worker", "NewFormatTests", "SamplePictures", "AttachmentWorker",
        "AttachmentWorkerTests", "FootprintTests", "BenchmarkTests", "SandboxTests", "ThimbleTests",
    ]
    if sanitizer == "thread" { unsuited.insert("AttachmentPipelineTests") }
    package.products = []
    package.targets.removeAll { unsuited.contains($0.name) }
}
