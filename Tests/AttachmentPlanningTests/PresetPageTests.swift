import AttachmentContainer
import AttachmentModel
import Foundation
import Testing

@Suite("The page of presets", .timeLimit(.minutes(1))) struct PresetPageTests {
    /// The cells of each row of a page that begins with a preset's name, by that name.
    private func rows(_ page: String) throws -> [String: [String]] {
        let project = URL(fileURLWithPath: #filePath).appendingPathComponent("../../..")
            .standardized
        let text = try String(contentsOf: project.appendingPathComponent(page), encoding: .utf8)
        let rows = text.split(separator: "\n").compactMap { line -> (String, [String])? in
            let cells = line.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            guard cells.count > 3, let name = cells[1].wholeMatch(of: /`([a-z-]+)`/)?.1 else {
                return nil
            }
            return (String(name), Array(cells[2..<cells.count - 1]))
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// The numbers of a cell, without separators of thousands.
    private func numbers(_ cell: String) -> Set<Int> {
        Set(cell.replacing(",", with: "").matches(of: /\d+/).compactMap { Int($0.0) })
    }

    /// The numbers by which a rendition is limited, and the word for its proportions.
    private func limits(of preset: Preset) -> (numbers: Set<Int>, proportions: String) {
        let settings = ProcessingSettings()
        guard let surface = preset.surface else {
            return preset == .banner
                ? ([settings.bannerSideInPixels], "square") : ([], "`expanded`")
        }
        let size = surface.size
        var numbers: Set = [size.width, size.height]
        if surface.maximumPixels < size.pixelCount { numbers.insert(surface.maximumPixels) }
        guard surface.isFilled else { return (numbers, "whole") }
        return (numbers, size.width == size.height ? "square" : "2:1")
    }

    @Test(
        "It has the size, the ceiling of the file and a source of each",
        arguments: Preset.allCases)
    func guide(preset: Preset) throws {
        let rows = try rows("Sources/Attachments/Model/AttachmentModel.docc/Presets.md")
        let row = try #require(rows[preset.rawValue])
        try #require(row.count == 3)
        let limits = limits(of: preset)
        // The other numbers are the points and the pixels for each.
        #expect(numbers(row[0]).isSuperset(of: limits.numbers), "\(row[0])")
        #expect(row[0].contains(limits.proportions), "\(row[0])")
        #expect(row[1] == ProcessingSettings().maximumBytes(of: preset.role).description)
        #expect(row[2].contains(/[A-Z`]/), "a source")
        #expect(rows.count == Preset.allCases.count)
    }
}
