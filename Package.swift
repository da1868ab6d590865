// swift-tools-version: 6.2
import PackageDescription

// Modes, which targets of the Makefile select by the environment

/// `make docs`: dump-symbol-graph would fetch the dependencies of every trait, enabled or not.
let isDocumentation = Context.environment["THIMBLE_DOCS"] != nil
/// `make build`: only what is installed, because benchmarks and modules for tests take as long again.
let isInstalled = Context.environment["THIMBLE_INSTALLED"] != nil
/// `make fuzz`: the fuzzer's target, and this sanitizer in C on bytes of strangers; `none` for `make lint`, for which
/// that C and all that depends on it would be compiled again.
let fuzzing = Context.environment["THIMBLE_FUZZ"]
let sanitizer = Context.environment["THIMBLE_SANITIZE"]
/// The commit, for `--version`.
let commit = Context.environment["THIMBLE_COMMIT"] ?? ""

/// Folders of the targets in `Sources`, which tell the flow; the first folder is the target's room.
let folders = [
    "ThimbleBasics": "Basics",
    "AttachmentContainer": "Container",
    "AttachmentModel": "Attachments/Model",
    "AttachmentFormats": "Attachments/Formats",
    "AttachmentPlanning": "Attachments/Planning",
    "AttachmentPipeline": "Attachments/Pipeline",
    "AttachmentPublishing": "Attachments/Committing",
    "AttachmentDecryption": "Attachments/Decryption",
    "AttachmentVips": "Attachments/Engines/Vips",
    "AttachmentImageIO": "Attachments/Engines/ImageIO",
    "AttachmentJPEGXL": "Attachments/Engines/JPEGXL",
    "AttachmentAV1": "Attachments/Engines/AV1",
    "ProgramLaunch": "Workers/Launch",
    "WorkerProtocol": "Workers/Protocol",
    "AttachmentWorker": "Workers/Supervisor",
    "WorkerSession": "Workers/Session",
    "TransferProtocol": "Network/Protocol",
    "AttachmentTransfer": "Network/Transfer",
    "AttachmentFetch": "Network/Fetch",
    "AttachmentStore": "Network/Store",
    "NotificationPayload": "Notifications/Payload",
    "NotificationDelivery": "Notifications/Delivery",
    "NotificationStaging": "Notifications/Staging",
    "NotificationPreview": "Notifications/Preview",
    "NotificationAdapters": "Notifications/ServiceExtension",
    "NotificationContentAdapter": "Notifications/ContentExtension",
    "NotificationProfile": "Notifications/Profile",
    "NotificationCheck": "Check",
    "ThimbleOptions": "Options",
    "thimble": "Programs/thimble",
    "thimble-worker": "Programs/thimble-worker",
    "thimble-row-worker": "Programs/thimble-row-worker",
    "thimble-transfer": "Programs/thimble-transfer",
    "CVips": "C/codecs/CVips",
    "CVipsFramework": "C/codecs/CVipsFramework",
    "CTIFF": "C/codecs/CTIFF",
    "CWebP": "C/codecs/CWebP",
    "CDav1d": "C/codecs/CDav1d",
    "CDe265": "C/codecs/CDe265",
    "CJXL": "C/codecs/CJXL",
    "CAOM": "C/codecs/CAOM",
    "CAV1": "C/codecs/CAV1",
    "CLibJPEG": "C/codecs/CLibJPEG",
    "CLibPNG": "C/codecs/CLibPNG",
    "CLCMS": "C/codecs/CLCMS",
    "CZlib": "C/codecs/CZlib",
    "CJPEG": "C/codecs/CJPEG",
    "CJPEGEncoder": "C/codecs/CJPEGEncoder",
    "CPNG": "C/codecs/CPNG",
    "CInflate": "C/codecs/CInflate",
    "CPredictors": "C/codecs/CPredictors",
    "CQuantiser": "C/codecs/CQuantiser",
    "CResampler": "C/codecs/CResampler",
    "CSimilarity": "C/codecs/CSimilarity",
    "CCrypto": "C/system/CCrypto",
    "CCurl": "C/system/CCurl",
    "CScratchHeap": "C/system/CScratchHeap",
    "CSystemCalls": "C/system/CSystemCalls",
    "CVersion": "C/system/CVersion",
]

// Groups of dependencies
let base: [Target.Dependency] = ["AttachmentContainer", "AttachmentModel"]
let formats = base + ["AttachmentFormats"]
let planning = formats + ["AttachmentPlanning"]
let pipeline = planning + ["AttachmentPipeline", "AttachmentVips"]
let worker = base + ["AttachmentWorker", "WorkerProtocol"]
let campaign = worker + ["BenchmarkMeasuring", "Randomness"]
let payload = base + ["NotificationPayload"]
let delivery = payload + ["NotificationDelivery"]
let codecs: [Target.Dependency] =
    ["CDav1d", "CDe265", "CTIFF", "CWebP"].map { .systemCodec($0) } + ["CZlib"]
let rowCodecs: [Target.Dependency] = ["CJPEG", "CLCMS", "CPNG"].map {
    .systemCodec($0)
}
let processes: [Target.Dependency] = ["ProgramLaunch", .logging, .subprocess, .systemPackage]
let transfer: [Target.Dependency] = ["TransferProtocol", "WorkerProtocol"]
let fetch = base + transfer + ["AttachmentFetch", "AttachmentTransfer"]
let store = base + transfer + ["AttachmentStore", "AttachmentTransfer"]

// C libraries of the system, and targets of our own in C.
let libraries: [Target] = [
    .system("CVips", pkgConfig: "vips", apt: "libvips-dev", brew: "vips"),
    .system("CTIFF", pkgConfig: "libtiff-4", apt: "libtiff-dev", brew: "libtiff"),
    .system("CWebP", pkgConfig: "libwebp", apt: "libwebp-dev", brew: "webp"),
    .system("CDav1d", pkgConfig: "dav1d", apt: "libdav1d-dev", brew: "dav1d"),
    .system("CDe265", pkgConfig: "libde265", apt: "libde265-dev", brew: "libde265"),
    .system("CJXL", pkgConfig: "libjxl", apt: "libjxl-dev", brew: "jpeg-xl"),
    .system("CAOM", pkgConfig: "aom", apt: "libaom-dev", brew: "aom"),
    .system("CLibJPEG", pkgConfig: "libjpeg", apt: "libjpeg-dev", brew: "jpeg-turbo"),
    .system("CLibPNG", pkgConfig: "libpng", apt: "libpng-dev", brew: "libpng"),
    .system("CLCMS", pkgConfig: "lcms2", apt: "liblcms2-dev", brew: "little-cms2"),
    .system("CCurl", pkgConfig: "libcurl", apt: "libcurl4-openssl-dev", brew: "curl"),
    // In the SDKs of Apple's platforms, where pkg-config's paths would lead to macOS's.
    .systemLibrary(
        name: "CZlib", path: Target.folder(of: "CZlib"), providers: [.apt(["zlib1g-dev"])]),
    .target(
        name: "CCrypto", path: Target.folder(of: "CCrypto"),
        linkerSettings: [.linkedLibrary("crypto")]),
    .target(
        name: "CVersion", path: Target.folder(of: "CVersion"),
        cSettings: [.define("THIMBLE_COMMIT", to: "\"\(commit)\"")]),
    .fuzzed("CAV1", ["CAOM"]),
    .fuzzed("CJPEG", ["CLibJPEG"]),
    .fuzzed("CJPEGEncoder"),
    .fuzzed("CPNG", ["CLibPNG", "CZlib"]),
    .fuzzed("CInflate", ["CZlib"]),
    .fuzzed("CPredictors"),
    .fuzzed("CQuantiser"),
    .fuzzed("CResampler"),
    .fuzzed("CSimilarity"),
    .target(name: "CScratchHeap", path: Target.folder(of: "CScratchHeap")),
    // The names of CVips from the framework's headers.
    .target(
        name: "CVipsFramework", dependencies: isDocumentation ? [] : [.binaryVips],
        path: Target.folder(of: "CVipsFramework"),
        linkerSettings: ["z", "iconv", "resolv", "c++"].map {
            .linkedLibrary($0, .when(platforms: Platform.apple, traits: ["BinaryVips"]))
        }),
    .systemLibrary(name: "CSystemCalls", path: Target.folder(of: "CSystemCalls")),
]

// Attachments
let attachments: [Target] = [
    .module("ThimbleBasics"),
    .module("AttachmentContainer", ["ThimbleBasics", .crypto]),
    .module("AttachmentModel", ["AttachmentContainer"]),
    .module("AttachmentDecryption", base + [.crypto]),
    .module("AttachmentPlanning", base),
    .module("AttachmentPublishing", base + ["AttachmentDecryption"]),
    .module("AttachmentFormats", base + codecs + ["CInflate", "CPredictors", "CSystemCalls"]),
    .module(
        "AttachmentPipeline",
        planning + rowCodecs
            + ["AttachmentDecryption", "AttachmentPublishing", "CJPEGEncoder", "CQuantiser"]
            + ["CResampler"]
            + ["CSimilarity", "CSystemCalls", .logging]),
    .module("AttachmentJPEGXL", formats + [.systemCodec("CJXL")]),
    .module("AttachmentAV1", base + ["AttachmentPipeline", .systemCodec("CAV1")]),
    .module(
        "AttachmentVips",
        planning + [
            "AttachmentJPEGXL", "AttachmentPipeline", "CSystemCalls", .systemCodec("CVips"),
            .vipsFramework,
        ]),
    .module(
        "AttachmentImageIO", planning + ["AttachmentPipeline", "AttachmentPublishing", .logging]),
]

// Workers
let workers: [Target] = [
    .module("ProgramLaunch", base + [.subprocess, .systemPackage]),
    .module("WorkerProtocol", base + ["CSystemCalls"]),
    .module(
        "AttachmentWorker",
        base + ["AttachmentPublishing", "CSystemCalls", "WorkerProtocol"] + processes),
    .module("WorkerSession", planning + ["AttachmentPipeline", "CScratchHeap", "WorkerProtocol"]),
]

// Transfers
let transfers: [Target] = [
    .module("TransferProtocol", ["ThimbleBasics", "WorkerProtocol"]),
    .module("AttachmentTransfer", ["AttachmentContainer"] + transfer + processes),
    .module(
        "AttachmentStore",
        base + transfer + ["AttachmentPublishing", "AttachmentTransfer", "CSystemCalls", .logging]),
    .module(
        "AttachmentFetch",
        base + transfer + ["AttachmentPublishing", "AttachmentTransfer", .logging]),
]

// Notifications
let notifications: [Target] = [
    .module("NotificationPayload", ["ThimbleBasics"]),
    .module("NotificationDelivery", payload + [.logging]),
    .module("NotificationProfile", base),
    .module("NotificationCheck", payload + ["CZlib", "NotificationProfile"]),
    .module(
        "NotificationStaging",
        delivery + ["AttachmentFetch", "AttachmentStore", "NotificationProfile"]),
    .module(
        "NotificationPreview",
        payload, resources: ["Style/colours.css", "Style/notification.css", "Style/preview.css"]),
    .module(
        "NotificationAdapters", delivery + ["AttachmentDecryption", "AttachmentImageIO"]),
    .module(
        "NotificationContentAdapter", base + ["AttachmentDecryption", "NotificationPayload"]),
]

// Options of the programs
let options: [Target] = [
    .module(
        "ThimbleOptions",
        worker + ["AttachmentFetch", "AttachmentStore", "CSystemCalls", "CVersion"]
            + ["NotificationPayload"]
            + ["NotificationDelivery", "NotificationProfile", "NotificationStaging"]
            + ["TransferProtocol", .logging]
            + [.argumentParser])
]

// Programs
/// Files that `thimble init` fills in, whose Swift is not compiled into it.
let projectTemplates = [
    "App.entitlements", "Content-Info.plist", "Extension.entitlements", "NotificationService.swift",
    "NotificationViewController.swift", "PictureNotificationTargets.swift",
    "PictureNotifications.swift", "Service-Info.plist", "content.expo-target.config.js",
    "payload.json", "pictureNotifications.js", "service.expo-target.config.js", "thimble.yml",
    "with-thimble.js",
].map { "Init/Templates/\($0)" }
let programs: [Target] = [
    .program(
        "thimble",
        worker + processes + ["AttachmentFetch", "AttachmentPublishing", "AttachmentStore"]
            + ["NotificationCheck", "NotificationDelivery", "NotificationPayload"]
            + ["NotificationPreview", "NotificationStaging", "ThimbleOptions"]
            + ["TransferProtocol", .argumentParser],
        resources: ["Sheet/sheet.css", "Sheet/sheet.js", "Benchmark/Page/bench.css"]
            + ["Benchmark/Page/bench.js"] + projectTemplates),
    .program(
        "thimble-worker",
        ["AttachmentAV1", "AttachmentJPEGXL", "AttachmentVips", "WorkerSession"]),
    .program("thimble-row-worker", ["WorkerSession"]),
    .program("thimble-transfer", transfer + ["CCurl", "ThimbleBasics"]),
    .program("show-notification", ["AttachmentContainer"], path: "Examples/ShowNotification"),
]

// Modules and programs for tests; benchmarks use PageCache, Randomness and SampleMedia too.
let testModules: [Target] = [
    .module("PageCache", path: "Tests/Support/PageCache"),
    .module("DigestPrograms", path: "Tests/Support/DigestPrograms"),
    .module("Randomness", path: "Tests/Support/Randomness"),
    .module("SampleMedia", formats, path: "Tests/Support/SampleMedia"),
    .module(
        "SampleCiphertexts", base + ["AttachmentDecryption", "Randomness"],
        path: "Tests/Support/SampleCiphertexts"),
    .module("SampleApps", ["CZlib"], path: "Tests/Support/SampleApps"),
    .module(
        "PrivateExample", ["AttachmentDecryption", "NotificationAdapters"],
        path: "Examples/Private/Message"),
    .module(
        "OriginServer", path: "Tests/Support/OriginServer",
        exclude: ["apns.py", "names.py", "origin.py"]),
    .module(
        "AnimationReference", ["AttachmentFormats"], path: "Tests/Support/AnimationReference",
        exclude: ["decode_animations.py", "write_animations.py", "write_large_animations.py"]),
    .systemLibrary(name: "CEscapes", path: "Tests/Support/CEscapes"),
    .program(
        "sandbox-escapes", ["CEscapes", "WorkerProtocol"], path: "Tests/Support/SandboxEscapes"),
    .executableTarget(
        name: "quantiser-digest", dependencies: ["CQuantiser"],
        path: "Tests/Support/QuantiserDigest"),
    .executableTarget(
        name: "resampler-digests", dependencies: ["CResampler"],
        path: "Tests/Support/ResamplerDigests"),
    .executableTarget(
        name: "jpeg-encoder-digests", dependencies: ["CJPEGEncoder"],
        path: "Tests/Support/JPEGEncoderDigests"),
    .executableTarget(
        name: "similarity-digests", dependencies: ["CSimilarity"],
        path: "Tests/Support/SimilarityDigests",
        linkerSettings: [.linkedLibrary("m")]),
    .program("heap-zeros", ["CScratchHeap"], path: "Tests/Support/HeapZeros"),
    .program(
        "hostile-worker", base + ["CEscapes", "WorkerProtocol"], path: "Tests/Support/HostileWorker"
    ),
    .program(
        "pbm-worker", formats + ["AttachmentVips", "WorkerSession"], path: "Tests/Support/PBMWorker"
    ),
]

// Tests
let suites: [Target] = [
    .tests(
        "AttachmentContainerTests", ["AttachmentContainer"],
        exclude: ["Vectors/make_thumbhash_vectors.py"],
        resources: [.copy("Vectors/thumbhash.json")]),
    .tests(
        "CJPEGEncoderTests",
        ["CJPEG", "CJPEGEncoder", "DigestPrograms", "Randomness", "jpeg-encoder-digests"]),
    .tests("CQuantiserTests", ["CQuantiser", "DigestPrograms", "Randomness", "quantiser-digest"]),
    .tests("CResamplerTests", ["CResampler", "DigestPrograms", "resampler-digests"]),
    .tests(
        "CSimilarityTests", ["CSimilarity", "DigestPrograms", "similarity-digests"],
        exclude: ["write_scores.py"]),
    .tests(
        "AttachmentPlanningTests",
        planning + ["CJPEGEncoder", "CQuantiser", "CResampler", "CSimilarity", "Randomness"]),
    .tests(
        "AttachmentFormatsTests",
        formats
            + [
                "AttachmentJPEGXL", "CInflate", "CPredictors", "CWebP", "CZlib", "Randomness",
                "SampleMedia",
            ],
        exclude: ["BMP/write_bmps.py", "TIFF/write_tiffs.py"]),
    .tests(
        "AnimationTests", pipeline + ["AnimationReference", "Randomness", "SampleMedia"],
        exclude: ["Sequences/longterm.py", "Sequences/write_sequences.py"], isOptimised: true),
    .tests(
        "AttachmentPipelineTests",
        pipeline
            + ["AnimationReference", "AttachmentAV1", "CSimilarity", "Randomness", "SampleMedia"]),
    .tests(
        "AttachmentWorkerTests",
        worker + ["AnimationReference", "AttachmentFormats", "AttachmentPublishing"]
            + ["PageCache", "SampleMedia", "heap-zeros", "hostile-worker", .logging]
            + ["thimble-worker", "thimble-row-worker"]),
    .tests("AttachmentFetchTests", fetch + ["OriginServer", "ProgramLaunch", "thimble-transfer"]),
    .tests(
        "AttachmentStoreTests", store + ["Randomness", "thimble", "thimble-transfer"],
        exclude: [
            "proxy.py", "race.py", "real_stores.sh", "role_stub.py", "s3_stub.py", "statuses.py",
            "stores.sh",
            "temporary_credentials.py",
        ]),
    .tests("NewFormatTests", worker + ["thimble", "pbm-worker"]),
    .tests("SandboxTests", ["WorkerProtocol", "sandbox-escapes"]),
    .tests(
        "AttachmentImageIOTests", planning + ["AttachmentImageIO", "Randomness", "SampleMedia"]),
    .tests("FootprintTests", base + ["AttachmentPipeline", "CSystemCalls"]),
    .tests(
        "NotificationPayloadTests",
        formats + ["NotificationPayload", "Randomness", "SampleMedia"],
        resources: [.copy("Inline/Golden")]),
    .tests("NotificationDeliveryTests", delivery + ["SampleMedia", .logging]),
    .tests(
        "NotificationCheckTests",
        base + ["NotificationCheck", "Randomness", "SampleApps", "SampleMedia"]),
    .tests(
        "AttachmentDecryptionTests",
        base + ["AttachmentDecryption", "Randomness", "SampleCiphertexts", "SampleMedia"]),
    .tests(
        "NotificationAdaptersTests",
        delivery + ["AttachmentDecryption", "AttachmentPipeline", "AttachmentVips"]
            + ["NotificationAdapters", "Randomness", "SampleCiphertexts", "SampleMedia"],
        exclude: ["Sealing/write_pictures.py"]),
    .tests(
        "PrivateExampleTests",
        delivery + ["AttachmentDecryption", "AttachmentPipeline", "NotificationAdapters"]
            + ["OriginServer", "PrivateExample", "SampleCiphertexts", "SampleMedia"]),
    .tests(
        "NotificationContentAdapterTests",
        ["AttachmentContainer", "NotificationContentAdapter", "NotificationPayload"]),
    .tests(
        "ThimbleOptionsTests", base + ["AttachmentStore", "ThimbleOptions", .argumentParser]),
    .tests("BenchmarkTests", formats + ["AttachmentWorker", "thimble"]),
    .tests(
        "ThimbleTests",
        worker + ["AttachmentFetch", "AttachmentPipeline", "AttachmentPublishing"]
            + ["AttachmentDecryption", "AttachmentStore", "AttachmentVips", "CZlib"]
            + ["NotificationAdapters", "NotificationContentAdapter"]
            + ["NotificationCheck", "NotificationDelivery", "NotificationPayload"]
            + ["NotificationStaging"]
            + ["OriginServer", "Randomness", "SampleApps", "SampleMedia", "thimble"]
            + ["thimble-worker", "thimble-row-worker", "thimble-transfer"]),
]

// Benchmarks, long campaigns, and the program that draws the pictures of `Images`
let benchmarks: [Target] = [
    .module("BenchmarkMeasuring", ["AttachmentModel", .argumentParser], path: "bench/measuring"),
    .module(
        "CapMatrix", planning + ["AttachmentWorker", "Randomness", "WorkerProtocol"],
        path: "bench/matrix/CapMatrix"),
    .program(
        "cap-matrix", campaign + ["CapMatrix", .argumentParser], path: "bench/matrix/Program"),
    .program(
        "mutants", campaign + [.argumentParser, .logging], path: "bench/mutants",
        exclude: ["run.sh"]),
    .program(
        "container-torture", base + ["AttachmentPipeline", "Randomness", .argumentParser],
        path: "bench/torture", exclude: ["run.sh"]),
    .program(
        "throughput-benchmark", ["BenchmarkMeasuring", "PageCache", .argumentParser],
        path: "bench/throughput", exclude: ["resize.py", "run.sh"]),
    .program(
        "jpeg-encoder-benchmark",
        ["AttachmentFormats", "AttachmentModel", "AttachmentPipeline", "CJPEG", "CJPEGEncoder"]
            + ["CLibJPEG", "CSimilarity", .argumentParser],
        path: "bench/bytes/Encoder"),
    .program(
        "animation-benchmark", ["BenchmarkMeasuring", .argumentParser], path: "bench/animation",
        exclude: ["run.sh"]),
    .program(
        "inline-pictures",
        worker + ["NotificationPayload", "NotificationStaging", .argumentParser],
        path: "bench/inline/Program"),
    .program(
        "private-benchmark",
        delivery + ["AttachmentDecryption", "AttachmentPipeline", "AttachmentWorker"]
            + ["BenchmarkMeasuring", "NotificationAdapters", "OriginServer", "SampleCiphertexts"]
            + [.argumentParser],
        path: "bench/private", exclude: ["make_pictures.py", "run.sh"]),
    .program(
        "SamplePictures", base + ["AttachmentPlanning", "AttachmentVips", .argumentParser],
        path: "bench/pictures"),
    .tests(
        "CapMatrixTests",
        worker + ["CapMatrix", "SampleMedia", "thimble-worker", "thimble-row-worker"],
        path: "bench/Tests/CapMatrixTests"),
    .tests(
        "ContainerTortureTests", ["container-torture"], path: "bench/Tests/ContainerTortureTests"),
]

// The fuzzer, built only by `make fuzz`, because libFuzzer provides its main function
let fuzzer = Target.program(
    "fuzz",
    planning + transfer
        + ["AttachmentFetch", "AttachmentJPEGXL", "AttachmentPipeline", "AttachmentStore", "CCurl"]
        + ["CInflate", "CJPEG", "CJPEGEncoder", "CQuantiser", "CResampler", "CSimilarity"]
        + ["CZlib", "NotificationCheck", "NotificationPayload", "SampleApps"],
    path: "bench/fuzz/Fuzz", flags: ["-parse-as-library"])

// Products: what apps, extensions, commands and services link, with the modules that they import
let products: [Product] = [
    .modules("AttachmentContainer", "AttachmentModel", "ThimbleBasics"),
    .modules(
        "AttachmentPipeline", "AttachmentFormats", "AttachmentPlanning", "AttachmentPublishing"),
    .modules("AttachmentVips", "AttachmentJPEGXL"),
    .modules("AttachmentImageIO"),
    .modules("AttachmentWorker", "AttachmentPublishing", "WorkerProtocol"),
    .modules("NotificationPayload", "NotificationPreview"),
    .modules("NotificationAdapters", "AttachmentDecryption", "NotificationDelivery"),
    .modules("NotificationContentAdapter", "AttachmentDecryption"),
    .modules(
        "NotificationStaging", "AttachmentFetch", "AttachmentStore", "NotificationDelivery",
        "TransferProtocol"),
    .modules("NotificationCheck", "NotificationProfile"),
    .modules("ThimbleOptions"),
    .program("thimble"),
    .program("thimble-worker"),
    .program("thimble-row-worker"),
    .program("thimble-transfer"),
    .program("show-notification"),
]

let package = Package(
    name: "thimble",
    platforms: [.macOS(.v13), .iOS(.v16), .visionOS(.v1)],
    products: products,
    traits: [
        .default(enabledTraits: ["SystemCodecs"]),
        .trait(
            name: "SystemCodecs",
            description: "Decoders and encoders of the system's C libraries, on Linux and macOS."),
        .trait(
            name: "BinaryVips",
            description: "libvips as a framework, for AttachmentVips on Apple's platforms."),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-system", from: "1.8.1"),
        .package(url: "https://github.com/swiftlang/swift-subprocess", from: "1.0.2"),
    ] + (isDocumentation ? [] : [.vips]),
    targets: libraries + attachments + workers + transfers + notifications + options
        + programs + (isInstalled ? [] : testModules + suites + benchmarks)
        + (fuzzing == nil ? [] : [fuzzer])
)

// `make sanitize` excludes all that needs a process of ours: their cap and sandbox leave no room for
// a sanitizer. Tests of footprints would include its memory. The thread sanitizer also excludes
// libvips, whose synchronisation it does not recognise.
if let sanitizer {
    var excluded: Set = [
        "ProgramLaunch", "WorkerSession", "thimble-transfer", "heap-zeros", "hostile-worker",
        "sandbox-escapes", "FootprintTests",
    ]
    if sanitizer == "thread" { excluded.insert("AttachmentPipelineTests") }
    let unsuited = package.targets.needing(excluded)
    package.products.removeAll { !unsuited.isDisjoint(with: $0.targetNames) }
    package.targets.removeAll { unsuited.contains($0.name) }
}

extension [Target] {
    /// Names of targets, and of all that depend on one of these.
    func needing(_ names: Set<String>) -> Set<String> {
        let more = names.union(
            filter { !names.isDisjoint(with: $0.dependencies.compactMap(\.target)) }.map(\.name))
        return more == names ? names : needing(more)
    }
}

extension Product {
    /// A library of the module of the same name, and of modules whose types it shows.
    static func modules(_ name: String, _ others: String...) -> Product {
        .library(name: name, targets: [name] + others)
    }

    static func program(_ name: String) -> Product { .executable(name: name, targets: [name]) }

    var targetNames: [String] {
        switch self {
        case let library as Library: library.targets
        case let executable as Executable: executable.targets
        default: []
        }
    }
}

extension Target {
    /// Settings of every Swift target; the tools version implies Swift 6 language mode.
    static var settings: [SwiftSetting] {
        [
            .enableUpcomingFeature("InternalImportsByDefault"),
            .enableUpcomingFeature("MemberImportVisibility"),
            .enableUpcomingFeature("ExistentialAny"),
            .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
            .define(
                "SYSTEM_CODECS",
                .when(platforms: Platform.computers, traits: ["SystemCodecs"])),
            .treatAllWarnings(as: .error),
        ]
    }

    /// C on bytes of strangers.
    ///
    /// `--sanitize` reaches it only as the fuzzer's own instrumentation.
    static func fuzzed(_ name: String, _ dependencies: [Dependency] = []) -> Target {
        .target(
            name: name, dependencies: dependencies, path: folder(of: name),
            cSettings: fuzzing == "address" ? [.unsafeFlags(["-fsanitize=address"])] : nil)
    }

    static func module(
        _ name: String, _ dependencies: [Dependency] = [], path: String? = nil,
        exclude: [String] = [], resources: [String] = []
    ) -> Target {
        .target(
            name: name, dependencies: dependencies, path: path ?? folder(of: name),
            exclude: exclude, resources: resources.map { .embedInCode($0) },
            swiftSettings: settings)
    }

    static func program(
        _ name: String, _ dependencies: [Dependency], path: String? = nil,
        exclude: [String] = [], resources: [String] = [], flags: [String] = []
    ) -> Target {
        .executableTarget(
            name: name, dependencies: dependencies, path: path ?? folder(of: name),
            exclude: exclude, resources: resources.map { .embedInCode($0) },
            swiftSettings: settings + (flags.isEmpty ? [] : [.unsafeFlags(flags)]))
    }

    /// Only tests that compare millions of pixels are optimised: compiling takes twice as long, which
    /// is more than running gains in others.
    static func tests(
        _ name: String, _ dependencies: [Dependency], path: String? = nil,
        exclude: [String] = [], resources: [Resource] = [], isOptimised: Bool = false
    ) -> Target {
        .testTarget(
            name: name, dependencies: dependencies, path: path, exclude: exclude,
            resources: resources,
            swiftSettings: settings + (isOptimised ? [] : [.unsafeFlags(["-Onone"])]))
    }

    static func system(_ name: String, pkgConfig: String, apt: String, brew: String) -> Target {
        .systemLibrary(
            name: name, path: folder(of: name), pkgConfig: pkgConfig,
            providers: [.apt([apt]), .brew([brew])])
    }

    /// The folder of a target in `Sources`; nil for SwiftPM's own rule.
    static func folder(of name: String) -> String? { folders[name].map { "Sources/\($0)" } }
}

extension Platform {
    /// Systems with C libraries to install and with child processes.
    static var computers: [Platform] { [.linux, .macOS] }
    static var apple: [Platform] { [.iOS, .macCatalyst, .macOS, .visionOS] }
}

extension Target.Dependency {
    /// The name, if it is a target of this package.
    var target: String? {
        switch self {
        case .targetItem(let name, _), .byNameItem(let name, _): name
        default: nil
        }
    }

    static var crypto: Self { .target(name: "CCrypto", condition: .when(platforms: [.linux])) }
    static var argumentParser: Self {
        .product(name: "ArgumentParser", package: "swift-argument-parser")
    }
    static var logging: Self { .product(name: "Logging", package: "swift-log") }
    /// Programs do not run others on mobile systems; swift-subprocess declares iOS 99.
    static var subprocess: Self {
        .product(
            name: "Subprocess", package: "swift-subprocess",
            condition: .when(platforms: Platform.computers))
    }
    static var systemPackage: Self {
        .product(
            name: "SystemPackage", package: "swift-system",
            condition: .when(platforms: Platform.computers))
    }
    /// A module of a C library; pkg-config finds none for mobile systems.
    static func systemCodec(_ name: String) -> Self {
        .target(
            name: name,
            condition: .when(platforms: Platform.computers, traits: ["SystemCodecs"]))
    }
    /// The static archive: only its headers are on a search path of their own.
    static var binaryVips: Self {
        .product(
            name: "vips-static", package: "vips-cocoa",
            condition: .when(platforms: Platform.apple, traits: ["BinaryVips"]))
    }
    static var vipsFramework: Self {
        .target(
            name: "CVipsFramework",
            condition: .when(platforms: Platform.apple, traits: ["BinaryVips"]))
    }
}

extension Package.Dependency {
    /// Fetched only with the trait BinaryVips.
    static var vips: Package.Dependency {
        .package(url: "https://github.com/TimOliver/vips-cocoa", from: "8.18.0")
    }
}
