import AttachmentContainer
@testable import AttachmentFormats
import AttachmentModel
import Foundation
import SampleMedia
import Testing

@Suite("HEIF rows of real pictures", .timeLimit(.minutes(2)))
struct HEIFCorpusTests {
    /// Limit that keeps debug builds to seconds; the variable removes it.
    private static let largestPixels =
        ProcessInfo.processInfo.environment["THIMBLE_CORPUS_PIXELS"].flatMap { Int($0) }
        ?? 1_300_000

    @Test(
        "Every picture equals libheif's, is tone-mapped, or is refused with a reason",
        .enabled(if: Corpus.isAvailable, "no corpus: set THIMBLE_CORPUS to its folder"))
    func equality() throws {
        let paths = Corpus.files("heic", "heics", "hif", "avif")
        let scratch = ScratchSpace(folder: "/var/tmp", ceiling: 600 << 20)
        var chosen: [String] = []
        for path in paths where Self.isSmall(path) { chosen.append(path) }
        var (equal, toneMapped, refused, alone) = (0, 0, 0, 0)
        for (path, reference) in zip(chosen, try LibheifReference.decode(chosen)) {
            do {
                let sample = try HEIFSample(path, scratch: scratch)
                if sample.isToneMapped {
                    toneMapped += 1
                    continue
                }
                // libheif refuses files with truncated items, our decoder those with a truncated
                // picture.
                guard let reference else {
                    alone += 1
                    continue
                }
                let difference = sample.difference(from: reference)
                #expect(difference == nil, "\(path): \(difference ?? "")")
                #expect((sample.profile ?? []) == reference.profile)
                equal += 1
            } catch let fault as DecodingFault {
                #expect(reference == nil, "\(path): \(fault)")
                refused += 1
            }
        }
        print(
            "HEIF corpus: \(equal) equal, \(toneMapped) tone-mapped, \(refused) refused, "
                + "\(alone) refused by libheif alone, \(paths.count - chosen.count) too large")
        #expect(equal >= 4)
    }

    /// True also for files that cannot be opened, as their refusal is fast.
    private static func isSmall(_ path: String) -> Bool {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(descriptor) }
        var status = stat()
        fstat(descriptor, &status)
        guard
            let picture = try? HEIFPicture(
                in: OpenFile(descriptor: descriptor, length: Int(status.st_size)))
        else { return true }
        return picture.size.pixelCount <= largestPixels
    }
}
