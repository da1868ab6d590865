// swift-tools-version: 6.2
import PackageDescription

/// Language settings of all targets.
///
/// The tools version implies Swift 6 mode.
let strict: [SwiftSetting] = [
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    .treatAllWarnings(as: .error),
]

let package = Package(
    name: "thimble",
    platforms: [.macOS(.v15), .iOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "AttachmentContainer", targets: ["AttachmentContainer"]),
        .library(name: "ExtensionProfile", targets: ["ExtensionProfile"]),
        .library(name: "NotificationCheck", targets: ["NotificationCheck"]),
        .library(name: "AttachmentDownload", targets: ["AttachmentDownload"]),
        .library(name: "AttachmentPlanning", targets: ["AttachmentPlanning"]),
        .library(name: "AttachmentFootprint", targets: ["AttachmentFootprint"]),
        .library(name: "AttachmentIntake", targets: ["AttachmentIntake"]),
        .library(name: "AttachmentPipeline", targets: ["AttachmentPipeline"]),
        .library(name: "AttachmentWorker", targets: ["AttachmentWorker"]),
        .library(name: "NotificationPayload", targets: ["NotificationPayload"]),
        .library(name: "NotificationDelivery", targets: ["NotificationDelivery"]),
        .library(name: "ProcessSandbox", targets: ["ProcessSandbox"]),
        .executable(name: "thimble", targets: ["thimble"]),
        .executable(name: "thimble-worker", targets: ["thimble-worker"]),
        .library(name: "NotificationAdapters", targets: ["NotificationAdapters"]),
        .library(name: "NotificationContentAdapter", targets: ["NotificationContentAdapter"]),
        .executable(name: "show-notification", targets: ["show-notification"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ],
    targets: [
        .systemLibrary(
            name: "CVips",
            pkgConfig: "vips",
            providers: [.apt(["libvips-dev"]), .brew(["vips"])]
        ),
        .systemLibrary(
            name: "CDav1d",
            pkgConfig: "dav1d",
            providers: [.apt(["libdav1d-dev"]), .brew(["dav1d"])]
        ),
        .systemLibrary(
            name: "CDe265",
            pkgConfig: "libde265",
            providers: [.apt(["libde265-dev"]), .brew(["libde265"])]
        ),
        .target(name: "CCrypto", linkerSettings: [.linkedLibrary("crypto")]),
        .systemLibrary(name: "CFileSystem"),
        .target(name: "CScratchHeap"),
        .systemLibrary(name: "CMessages"),
        .systemLibrary(name: "CSandbox"),
        .systemLibrary(name: "CEscapes", path: "Tests/CEscapes"),
        .systemLibrary(
            name: "CTIFF",
            pkgConfig: "libtiff-4",
            providers: [.apt(["libtiff-dev"]), .brew(["libtiff"])]
        ),
        .systemLibrary(
            name: "CWebP",
            pkgConfig: "libwebp",
            providers: [.apt(["libwebp-dev"]), .brew(["webp"])]
        ),
        .systemLibrary(
            name: "CZlib",
            pkgConfig: "zlib",
            providers: [.apt(["zlib1g-dev"]), .brew(["zlib"])]
        ),
        .target(
            name: "AttachmentContainer",
            // CryptoKit has the digest on Apple's platforms.
            dependencies: [.target(name: "CCrypto", condition: .when(platforms: [.linux]))],
            swiftSettings: strict
        ),
        .target(
            name: "ExtensionProfile",
            dependencies: ["AttachmentContainer"],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationCheck",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "ExtensionProfile", "NotificationPayload",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentPlanning",
            dependencies: ["AttachmentContainer"],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentFootprint",
            dependencies: ["AttachmentContainer"],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentIntake",
            dependencies: ["AttachmentContainer", "AttachmentPlanning"],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentDecoding",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning", "CDav1d", "CDe265",
                "CFileSystem", "CTIFF", "CWebP", "CZlib",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentAnimation",
            dependencies: ["AttachmentDecoding", "AttachmentPlanning"],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentPipeline",
            dependencies: [
                "AttachmentAnimation", "AttachmentContainer", "AttachmentDecoding",
                "AttachmentFootprint",
                "AttachmentIntake", "AttachmentPlanning", "CVips",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "ProcessSandbox",
            dependencies: ["CSandbox"],
            swiftSettings: strict
        ),
        .target(
            name: "WorkerProtocol",
            dependencies: [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentIntake",
                "AttachmentPlanning", "CMessages", "ProcessSandbox",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentWorker",
            dependencies: [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentIntake",
                "AttachmentPlanning", "ProcessSandbox", "WorkerProtocol",
                .product(name: "Logging", package: "swift-log"),
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        .target(name: "NotificationPayload", swiftSettings: strict),
        .target(
            name: "NotificationDelivery",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "NotificationPayload", .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "PeakBenchmark",
            dependencies: [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentIntake",
                "AttachmentPlanning", "AttachmentWorker",
                .product(name: "Subprocess", package: "swift-subprocess"),
                .product(name: "SystemPackage", package: "swift-system"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "thimble",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "AttachmentWorker", "ExtensionProfile", "NotificationCheck",
                "NotificationDelivery", "NotificationPayload", "PeakBenchmark",
                "ProcessSandbox",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "thimble-worker",
            dependencies: [
                "AttachmentContainer", "AttachmentDecoding", "AttachmentFootprint",
                "AttachmentIntake", "AttachmentPipeline", "AttachmentPlanning", "CScratchHeap",
                "ProcessSandbox", "WorkerProtocol",
            ],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "SamplePictures",
            dependencies: [
                "AttachmentContainer", "AttachmentPipeline", "AttachmentPlanning",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: strict
        ),
        .target(
            name: "AttachmentDownload",
            dependencies: ["AttachmentContainer", "NotificationDelivery", "NotificationPayload"],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationAdapters",
            dependencies: [
                "AttachmentContainer", "AttachmentDownload", "AttachmentIntake",
                "AttachmentPlanning", "NotificationDelivery", "NotificationPayload",
            ],
            swiftSettings: strict
        ),
        .target(
            name: "NotificationContentAdapter",
            dependencies: ["AttachmentContainer"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "show-notification",
            dependencies: ["AttachmentContainer"],
            path: "Examples/ShowNotification",
            swiftSettings: strict
        ),
        .target(
            name: "BenchmarkMeasuring",
            dependencies: [
                "AttachmentFootprint",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "bench/measuring",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "throughput-benchmark",
            dependencies: [
                "BenchmarkMeasuring",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "bench/throughput",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "animation-benchmark",
            dependencies: [
                "BenchmarkMeasuring",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "bench/animation",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "container-torture",
            dependencies: [
                "AttachmentContainer", "Randomness",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "bench/torture",
            swiftSettings: strict
        ),
        .target(
            name: "AnimationReference",
            dependencies: ["AttachmentDecoding"],
            path: "Tests/AnimationReference",
            exclude: ["decode_animations.py", "write_animations.py", "write_large_animations.py"],
            swiftSettings: strict
        ),
        .target(name: "SampleMedia", path: "Tests/SampleMedia", swiftSettings: strict),
        .target(name: "Randomness", path: "Tests/Randomness", swiftSettings: strict),
        .executableTarget(
            name: "mutants",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "AttachmentWorker", "BenchmarkMeasuring", "ProcessSandbox", "Randomness",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            path: "bench/mutants",
            swiftSettings: strict
        ),
        .target(
            name: "CapMatrix",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "AttachmentWorker", "Randomness",
            ],
            path: "bench/matrix/CapMatrix",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "cap-matrix",
            dependencies: [
                "BenchmarkMeasuring", "CapMatrix", "Randomness", "AttachmentWorker",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            path: "bench/matrix/Program",
            swiftSettings: strict
        ),
        .testTarget(
            name: "CapMatrixTests",
            dependencies: [
                "AttachmentContainer", "AttachmentPlanning", "AttachmentWorker", "CapMatrix",
                "thimble-worker",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentAnimationTests",
            dependencies: [
                "AnimationReference", "AttachmentAnimation", "AttachmentDecoding",
                "AttachmentPlanning", "Randomness",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentContainerTests",
            dependencies: ["AttachmentContainer", "container-torture"],
            exclude: ["Vectors/make_thumbhash_vectors.py"],
            resources: [.copy("Vectors/thumbhash.json")],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ExtensionProfileTests",
            dependencies: ["AttachmentContainer", "ExtensionProfile", "Randomness"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationCheckTests",
            dependencies: [
                "AttachmentContainer", "ExtensionProfile", "NotificationCheck", "SampleMedia",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentDecodingTests",
            dependencies: [
                "AttachmentDecoding", "AttachmentIntake", "AttachmentPlanning", "CWebP", "CZlib",
                "Randomness",
            ],
            exclude: ["TIFF/write_tiffs.py"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentDownloadTests",
            dependencies: [
                "AttachmentContainer", "AttachmentDownload", "AttachmentIntake",
                "NotificationDelivery", "NotificationPayload",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentFootprintTests",
            dependencies: ["AttachmentContainer", "AttachmentFootprint"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentIntakeTests",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning", "Randomness",
                "SampleMedia",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentPipelineTests",
            dependencies: [
                "AnimationReference", "AttachmentContainer", "AttachmentDecoding",
                "AttachmentFootprint", "AttachmentIntake", "AttachmentPipeline",
                "AttachmentPlanning", "Randomness", "SampleMedia",
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentPlanningTests",
            dependencies: ["AttachmentContainer", "AttachmentPlanning", "Randomness"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "AttachmentWorkerTests",
            dependencies: [
                "AnimationReference", "AttachmentContainer", "AttachmentFootprint",
                "AttachmentIntake",
                "AttachmentPlanning", "AttachmentWorker", "ProcessSandbox", "WorkerProtocol",
                "heap-zeros", "hostile-worker", "thimble-worker",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationPayloadTests",
            dependencies: ["NotificationPayload", "Randomness"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "NotificationDeliveryTests",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning",
                "NotificationDelivery", "NotificationPayload", "SampleMedia",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: strict
        ),
        .testTarget(
            name: "PeakBenchmarkTests",
            dependencies: ["AttachmentContainer", "AttachmentWorker", "PeakBenchmark"],
            swiftSettings: strict
        ),
        .executableTarget(
            name: "sandbox-escapes",
            dependencies: ["CEscapes", "ProcessSandbox"],
            path: "Tests/SandboxEscapes",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "heap-zeros",
            dependencies: ["CScratchHeap"],
            path: "Tests/HeapZeros",
            swiftSettings: strict
        ),
        .executableTarget(
            name: "hostile-worker",
            dependencies: [
                "AttachmentContainer", "AttachmentIntake", "AttachmentPlanning", "CEscapes",
                "ProcessSandbox", "WorkerProtocol",
            ],
            path: "Tests/HostileWorker",
            swiftSettings: strict
        ),
        .testTarget(
            name: "ProcessSandboxTests",
            dependencies: ["ProcessSandbox", "sandbox-escapes"],
            swiftSettings: strict
        ),
        .testTarget(
            name: "ThimbleTests",
            dependencies: [
                "AttachmentContainer", "AttachmentFootprint", "AttachmentIntake",
                "AttachmentPipeline",
                "AttachmentPlanning", "AttachmentWorker", "CZlib", "ProcessSandbox",
                "SampleMedia", "thimble", "thimble-worker",
            ],
            swiftSettings: strict
        ),
    ]
)

// Built only by `make fuzz`, because libFuzzer provides the main function.
if Context.environment["THIMBLE_FUZZ"] != nil {
    package.targets.append(
        .executableTarget(
            name: "fuzz",
            dependencies: [
                "AttachmentAnimation", "AttachmentContainer", "AttachmentDecoding",
                "AttachmentFootprint", "AttachmentIntake", "AttachmentPlanning", "ExtensionProfile",
                "NotificationPayload", "ProcessSandbox", "WorkerProtocol",
            ],
            path: "bench/fuzz/Fuzz",
            swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]
        ))
}

// `make sanitize` excludes workers, whose cap and sandbox leave no room for a sanitizer, and tests
// of footprints, which would include the sanitizer's memory. The thread sanitizer also excludes
// libvips, whose synchronisation it does not recognise.
if let sanitizer = Context.environment["THIMBLE_SANITIZE"] {
    var unsuited: Set = [
        "thimble", "thimble-worker", "mutants", "throughput-benchmark", "sandbox-escapes",
        "CapMatrix", "cap-matrix", "CapMatrixTests", "heap-zeros", "hostile-worker",
        "SamplePictures", "PeakBenchmark", "AttachmentWorker", "AttachmentWorkerTests",
        "AttachmentFootprintTests", "PeakBenchmarkTests", "ProcessSandboxTests", "ThimbleTests",
    ]
    if sanitizer == "thread" { unsuited.insert("AttachmentPipelineTests") }
    package.products = []
    package.targets.removeAll { unsuited.contains($0.name) }
}
