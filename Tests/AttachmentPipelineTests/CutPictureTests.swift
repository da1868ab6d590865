import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

/// Pictures of every format, cut at several places.
@Suite("Cut pictures", .timeLimit(.minutes(2)))
struct CutPictureTests {
    /// Small files, in which a cut leaves a header and some of the data.
    private static let names = [
        "aurora-animated.gif", "aurora-animated.webp", "aurora.avif", "dunes-cmyk.jpg",
        "lake-evening.heic", "meadow-lossy.webp", "meadow.tiff", "ridges-interlaced.png",
        "ridges-progressive.jpg", "still-life.png", "thimble-alpha.png",
    ]

    @Test(
        "Both engines give the same code, and so does tolerance where it cannot help",
        arguments: names)
    func codes(name: String) async throws {
        let whole = try Data(contentsOf: ProcessorFixture.images.appending(path: name))
        try await ProcessorFixture.with { fixture in
            for share in [0.3, 0.6, 0.95] {
                let cut = "\(share)-\(name)"
                try whole.prefix(Int(Double(whole.count) * share)).write(to: fixture.url(cut))
                for isTolerant in [false, true] {
                    let own = try await fixture.refuse(cut) {
                        $0.toleratesTruncation = isTolerant
                    }
                    let library = try await fixture.refuse(cut) {
                        $0.toleratesTruncation = isTolerant
                        $0.engine = .libvips
                    }
                    #expect(own?.code == library?.code, "\(cut), tolerant: \(isTolerant)")
                    #expect(isTolerant && own == nil || own?.code == .truncated, "\(cut)")
                }
            }
        }
    }

    @Test("What passes without tolerance passes with it, with the same bytes", arguments: names)
    func whole(name: String) async throws {
        try await ProcessorFixture.with { fixture in
            try FileManager.default.copyItem(
                at: ProcessorFixture.images.appending(path: name), to: fixture.url(name))
            let strict = try await fixture.process(name, identifier: "strict").manifest
            let tolerant = try await fixture.process(name, identifier: "tolerant") {
                $0.toleratesTruncation = true
            }.manifest
            #expect(strict.renditions.map(\.file) == tolerant.renditions.map(\.file))
            #expect(strict.notes == tolerant.notes)
        }
    }
}
