// swift-tools-version: 6.2
import PackageDescription

// Elsewhere, name the repository: .package(url: "https://example.org/thimble", from: "0.2.0")
let thimble = Package.Dependency.package(name: "thimble", path: "../..")

let package = Package(
    name: "make-renditions",
    platforms: [.macOS(.v15)],
    dependencies: [thimble],
    targets: [
        .executableTarget(
            name: "make-renditions",
            dependencies: [
                .product(name: "AttachmentContainer", package: "thimble"),
                .product(name: "AttachmentWorker", package: "thimble"),
                // The programs that the pool starts; `swift build` puts them beside this one.
                .product(name: "thimble-row-worker", package: "thimble"),
                .product(name: "thimble-worker", package: "thimble"),
            ])
    ]
)
