// swift-tools-version: 6.2
import PackageDescription

// The service is a package of its own, so that `thimble` stays small to build and no dependency of
// the service reaches users of the library. The Makefile builds it in the build folder of the main
// package, which shares its modules.
let package = Package(
    name: "thimble-server",
    platforms: [.macOS(.v15)],
    products: [.executable(name: "thimble-server", targets: ["thimble-server"])],
    dependencies: [
        .package(name: "thimble", path: "../.."),
        .package(
            url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-configuration", from: "1.4.0"),
        .package(url: "https://github.com/apple/swift-distributed-tracing", from: "1.7.3"),
        .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-metrics", from: "2.13.0"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-extras", from: "1.35.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    ],
    targets: [
        .systemLibrary(
            name: "CRabbitMQ", path: "CRabbitMQ", pkgConfig: "librabbitmq",
            providers: [.apt(["librabbitmq-dev"]), .brew(["rabbitmq-c"])]),
        .systemLibrary(name: "CArenas", path: "CArenas"),
        .module(
            "JobBroker", in: "Broker",
            thimble("AttachmentContainer") + ["CRabbitMQ", .logging]),
        .module(
            "AttachmentFleet", in: "Fleet",
            thimble("AttachmentContainer", "AttachmentWorker", "NotificationStaging")
                + ["JobBroker", .logging],
            resources: ["job.schema.json"]),
        .module("PrometheusMetrics", in: "Metrics", [.metrics]),
        .module(
            "ServiceOptions", in: "Configuration",
            thimble("AttachmentContainer", "AttachmentWorker", "NotificationCheck")
                + thimble("NotificationStaging", "ThimbleOptions")
                + [.configuration, .argumentParser, .logging, .systemPackage]),
        .module(
            "AttachmentService", in: "Service",
            thimble("AttachmentContainer", "AttachmentWorker", "NotificationCheck")
                + thimble("NotificationPayload", "NotificationStaging", "ThimbleOptions")
                + http + ["AttachmentFleet", "JobBroker", "PrometheusMetrics"]
                + ["CArenas", "ServiceOptions", .lifecycle, .logging]
                + [.metrics, .tracing, .unixSignals],
            resources: ["OpenAPI/openapi.json"] + page),
        .executableTarget(
            name: "thimble-server",
            dependencies: [
                "AttachmentFleet", "AttachmentService", "JobBroker", "ServiceOptions",
                .argumentParser, .logging,
            ] + thimble("AttachmentContainer", "NotificationPayload", "NotificationStaging")
                + thimble("ThimbleOptions"),
            path: "Program", swiftSettings: Target.settings),
        .testTarget(
            name: "ThimbleServerTests",
            dependencies: thimble("AttachmentContainer", "ThimbleOptions")
                + thimble("thimble-row-worker", "thimble-transfer", "thimble-worker")
                + [
                    "AttachmentFleet", "AttachmentService", "JobBroker", "PrometheusMetrics",
                    "ServiceOptions", "thimble-server",
                ]
                + [.argumentParser, .logging, .tracing]
                + [.product(name: "InMemoryTracing", package: "swift-distributed-tracing")],
            swiftSettings: Target.settings + [.unsafeFlags(["-Onone"])]),
    ]
)

/// Files of the page, which the program carries in it.
var page: [String] {
    [
        "cards.js", "chart.js", "command.js", "dom.js", "icon.svg", "index.html", "intake.js",
        "ladder.js", "main.js", "notification.js", "page.css", "presets.js", "renditions.js",
        "results.css", "trial.js", "units.js",
    ].map { "Page/Files/\($0)" }
}

/// Products of the main package.
func thimble(_ names: String...) -> [Target.Dependency] {
    names.map { .product(name: $0, package: "thimble") }
}

var http: [Target.Dependency] {
    [
        .product(name: "Hummingbird", package: "hummingbird"),
        .product(name: "HummingbirdCore", package: "hummingbird"),
        .product(name: "HTTPTypes", package: "swift-http-types"),
        .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
        .product(name: "NIOHTTP1", package: "swift-nio"),
        .product(name: "NIOHTTPTypes", package: "swift-nio-extras"),
        .product(name: "NIOHTTPTypesHTTP1", package: "swift-nio-extras"),
    ]
}

extension Target.Dependency {
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser")
    }
    static var configuration: Self {
        .product(name: "Configuration", package: "swift-configuration")
    }
    static var lifecycle: Self {
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
    }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    static var systemPackage: Self { .product(name: "SystemPackage", package: "swift-system") }
    static var unixSignals: Self {
        .product(name: "UnixSignals", package: "swift-service-lifecycle")
    }
    static var tracing: Self {
        .product(name: "Tracing", package: "swift-distributed-tracing")
    }
    static var metrics: Self { .product(name: "CoreMetrics", package: "swift-metrics") }
}

extension Target {
    /// Settings of every Swift target; the tools version implies Swift 6 language mode.
    static var settings: [SwiftSetting] {
        [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .treatAllWarnings(as: .error),
        ]
    }

    static func module(
        _ name: String, in folder: String, _ dependencies: [Dependency], resources: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: folder,
            resources: resources.map { .embedInCode($0) },
            swiftSettings: settings)
    }
}
