// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "thimble",
    platforms: [.macOS(.v15), .iOS(.v18), .visionOS(.v2)],
    products: [
        "AttachmentContainer", "AttachmentModel", "AttachmentPlanning", "AttachmentFootprint",
        "AttachmentPublishing", "AttachmentPipeline", "AttachmentWorker", "ProcessSandbox",
        "NotificationPayload",
        "NotificationDelivery", "AttachmentDownload", "NotificationCheck",
        "NotificationAdapters", "NotificationContentAdapter",
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
        .module("AttachmentFootprint", ["AttachmentContainer"]),
        .module("AttachmentPublishing", ["AttachmentContainer", "AttachmentModel"]),
        .module(
            "AttachmentFormats",
            [
                "AttachmentContainer", "AttachmentModel", "CDav1d", "CDe265", "CFileSystem",
                "CTIFF", "CWebP", "CZlib",
            ]),
        .module(
            "AttachmentAnimation",
            ["AttachmentContainer", "AttachmentFormats", "AttachmentModel"]),
        .module(
            "AttachmentPipeline",
            [
                "AttachmentAnimation", "AttachmentContainer", "AttachmentFootprint",
                "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "AttachmentPublishing", "CVips", .logging,
            ]),

        // Workers
        .module("ProcessSandbox", ["CSandbox"]),
        .module(
            "WorkerProtocol",
            [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentModel", "CMessages",
                "ProcessSandbox",
            ]),
        .module(
            "AttachmentWorker",
            [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentModel",
                "AttachmentPublishing", "ProcessSandbox", "WorkerProtocol", .logging, .subprocess,
                .systemPackage,
            ]),

        .module(
            "WorkerSession",
            [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentFormats",
                "AttachmentModel", "AttachmentPipeline", "CScratchHeap", "ProcessSandbox",
                "WorkerProtocol",
            ]),

        // Notifications
        .module("NotificationPayload"),
        .module(
            "NotificationDelivery",
            ["AttachmentContainer", "AttachmentModel", "NotificationPayload", .logging]),
        .module(
            "AttachmentDownload",
            [
                "AttachmentContainer", "NotificationDelivery", "NotificationPayload",
            ]),
        .module(
            "NotificationCheck",
            ["AttachmentContainer", "AttachmentModel", "NotificationPayload"]),
        .module(
            "NotificationAdapters",
            [
                "AttachmentContainer", "AttachmentDownload", "AttachmentModel",
                "NotificationDelivery", "NotificationPayload",
            ]),
        .module("NotificationContentAdapter", ["AttachmentContainer"]),

        // Programs
        .program(
            "thimble",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentPublishing",
                "AttachmentWorker", "NotificationCheck", "NotificationDelivery",
                "NotificationPayload", "PeakBenchmark", "ProcessSandbox", .argumentParser, .logging,
            ]),
        .program("thimble-worker", ["AttachmentPipeline", "WorkerSession"]),
        .module(
            "PeakBenchmark",
            [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentModel",
                "AttachmentPublishing", "AttachmentWorker", .subprocess, .systemPackage,
            ]),
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
            [
                "AttachmentFootprint", .argumentParser,
            ], path: "bench/measuring"),
        .program(
            "throughput-benchmark",
            [
                "BenchmarkMeasuring", .argumentParser,
            ], path: "bench/throughput"),
        .program(
            "animation-benchmark",
            [
                "BenchmarkMeasuring", .argumentParser,
            ], path: "bench/animation"),
        .program(
            "container-torture",
            [
                "AttachmentContainer", "Randomness", .argumentParser,
            ], path: "bench/torture"),
        .program(
            "mutants",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "BenchmarkMeasuring",
                "ProcessSandbox", "Randomness", .argumentParser, .logging,
            ], path: "bench/mutants"),
        .module(
            "CapMatrix",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "AttachmentWorker", "ProcessSandbox", "Randomness",
            ], path: "bench/matrix/CapMatrix"),
        .program(
            "cap-matrix",
            [
                "AttachmentWorker", "BenchmarkMeasuring", "CapMatrix", "Randomness",
                .argumentParser,
            ], path: "bench/matrix/Program"),

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
        .program("sandbox-escapes", ["CEscapes", "ProcessSandbox"], path: "Tests/SandboxEscapes"),
        .program("heap-zeros", ["CScratchHeap"], path: "Tests/HeapZeros"),
        .program(
            "hostile-worker",
            [
                "AttachmentContainer", "AttachmentModel", "CEscapes", "ProcessSandbox",
                "WorkerProtocol",
            ], path: "Tests/HostileWorker"),
        .program(
            "pbm-worker",
            ["AttachmentContainer", "AttachmentFormats", "AttachmentModel", "WorkerSession"],
            path: "Tests/PBMWorker"),
        .tests(
            "NewFormatTests",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "PeakBenchmark",
                "ProcessSandbox", "pbm-worker",
            ]),
        .tests(
            "CapMatrixTests",
            [
                "AttachmentContainer", "AttachmentModel", "AttachmentWorker", "CapMatrix",
                "thimble-worker",
            ]),
        .tests(
            "AttachmentAnimationTests",
            [
                "AnimationReference", "AttachmentAnimation", "AttachmentContainer",
                "AttachmentFormats", "AttachmentModel", "AttachmentPlanning", "Randomness",
            ]),
        .tests(
            "AttachmentContainerTests",
            [
                "AttachmentContainer", "container-torture",
            ], exclude: ["Vectors/make_thumbhash_vectors.py"],
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
            "AttachmentDownloadTests",
            [
                "AttachmentContainer", "AttachmentDownload", "AttachmentModel",
                "NotificationDelivery", "NotificationPayload", "SampleMedia",
            ]),
        .tests("AttachmentFootprintTests", ["AttachmentContainer", "AttachmentFootprint"]),
        .tests(
            "AttachmentPipelineTests",
            [
                "AnimationReference", "AttachmentContainer", "AttachmentFootprint",
                "AttachmentFormats", "AttachmentModel", "AttachmentPipeline", "AttachmentPlanning",
                "Randomness", "SampleMedia",
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
                "AnimationReference", "AttachmentContainer", "AttachmentFootprint",
                "AttachmentFormats", "AttachmentModel", "AttachmentPublishing", "AttachmentWorker",
                "ProcessSandbox", "WorkerProtocol", "heap-zeros", "hostile-worker",
                "thimble-worker", .logging,
            ]),
        .tests("NotificationPayloadTests", ["NotificationPayload", "Randomness"]),
        .tests(
            "NotificationDeliveryTests",
            [
                "AttachmentContainer", "AttachmentModel", "NotificationDelivery",
                "NotificationPayload", "SampleMedia", .logging,
            ]),
        .tests(
            "PeakBenchmarkTests",
            [
                "AttachmentContainer", "AttachmentFormats", "AttachmentModel", "AttachmentWorker",
                "PeakBenchmark",
            ]),
        .tests("ProcessSandboxTests", ["ProcessSandbox", "sandbox-escapes"]),
        .tests(
            "ThimbleTests",
            [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentModel",
                "AttachmentPipeline", "AttachmentPublishing", "AttachmentWorker", "CZlib",
                "ProcessSandbox", "SampleMedia", "thimble", "thimble-worker",
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
                "AttachmentAnimation", "AttachmentContainer", "AttachmentFootprint",
                "AttachmentFormats", "AttachmentModel", "AttachmentPlanning",
                "AttachmentPublishing", "NotificationPayload", "ProcessSandbox",
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
        "WorkerSession", "pbm-worker", "NewFormatTests",
        "SamplePictures", "PeakBenchmark", "AttachmentWorker", "AttachmentWorkerTests",
        "AttachmentFootprintTests", "PeakBenchmarkTests", "ProcessSandboxTests", "ThimbleTests",
    ]
    if sanitizer == "thread" { unsuited.insert("AttachmentPipelineTests") }
    package.products = []
    package.targets.removeAll { unsuited.contains($0.name) }
}
