import AttachmentFormats
import Foundation
import Testing

/// Images encoded by cwebp and decoded by dwebp.
struct LossyWebPReference {
    /// Parameters of one image.
    struct Case {
        /// Options for cwebp.
        var options = ""
        var kind = WebPTestPicture.photograph
        var width = 47
        var height = 35
        var bands = 3
        /// Output size; nil for the image's own.
        var scaled: (width: Int, height: Int)?
    }

    let tools: WebPTools

    init() throws { tools = try WebPTools() }

    func encode(_ cases: [Case]) throws -> [[UInt8]] {
        for (index, made) in cases.enumerated() {
            let picture = made.kind.samples(
                width: made.width, height: made.height, bands: made.bands, seed: index)
            try tools.write(picture.netpbm, to: "\(index).pam")
        }
        try tools.run(
            cases.enumerated().map {
                "cwebp -quiet \($1.options) \($0).pam -o \($0).webp; rm \($0).pam"
            })
        return try cases.indices.map { try tools.read("\($0).webp") }
    }

    /// Encodes images and compares the decoded rows with dwebp's.
    func compare(_ cases: [Case]) throws {
        try compare(try encode(cases), cases)
    }

    /// Compares the decoded rows with dwebp's.
    func compare(_ files: [[UInt8]], _ cases: [Case]) throws {
        for (index, file) in files.enumerated() {
            try tools.write(file, to: "\(index).webp")
        }
        try tools.run(
            cases.enumerated().map { index, made in
                let scale = made.scaled.map { "-scale \($0.width) \($0.height)" } ?? ""
                return "dwebp -quiet \(index).webp \(scale) -pam -o \(index).pam"
            })
        for (index, (file, made)) in zip(files, cases).enumerated() {
            let reference = try WebPSamples(netpbm: tools.read("\(index).pam"))
            let size = made.scaled ?? (made.width, made.height)
            let rows = try WebPSamples(lossy: file, width: size.width, height: size.height)
            #expect(rows.withAlpha.difference(from: reference) == nil, "\(made)")
        }
    }
}

extension WebPSamples {
    /// Reads all rows of a lossy image.
    init(lossy file: [UInt8], width: Int, height: Int, isTolerant: Bool = false) throws {
        let held = try TemporaryBytes(file)
        let scratch = ScratchSpace.test
        try self.init(
            LossyWebPRows(
                held.openFile, width: width, height: height,
                scratch: scratch, isTolerant: isTolerant))
        #expect(scratch.liveBytes == 0)
    }

    /// The image with an alpha channel, opaque if it had none, like dwebp's PAM output.
    var withAlpha: WebPSamples {
        guard bands == 3 else { return self }
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 4)
        for start in stride(from: 0, to: values.count, by: 3) {
            pixels += values[start..<start + 3]
            pixels.append(255)
        }
        return WebPSamples(width: width, height: height, bands: 4, values: pixels)
    }
}

extension ScratchSpace {
    /// Scratch space on the package's disk, because temporary files may be in memory.
    static var test: ScratchSpace {
        ScratchSpace(
            folder: FileManager.default.currentDirectoryPath + "/.build", ceiling: 256 << 20)
    }
}
