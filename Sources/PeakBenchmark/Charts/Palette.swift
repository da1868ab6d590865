/// The colours of a chart.
package struct Palette: Sendable {
    /// What the file's name ends in.
    package let name: String
    let background, ink, faint, grid, accent: String
    /// Colours that are told apart by people with any colour vision, on this background.
    let others: [String]

    /// For light pages.
    package static let light = Palette(
        name: "light", background: "#ffffff", ink: "#1f2328", faint: "#59636e", grid: "#d8dee4",
        accent: "#c2255c",
        others: [
            "#0072b2", "#009e73", "#b35c00", "#6f42c1", "#8a6d00", "#3a7d8c", "#5b6470", "#8c564b",
            "#2b6a3f",
        ])
    /// For dark pages.
    package static let dark = Palette(
        name: "dark", background: "#0d1117", ink: "#e6edf3", faint: "#9da7b1", grid: "#30363d",
        accent: "#ff6b9d",
        others: [
            "#56b4e9", "#2fd6a5", "#f0a35c", "#b392f0", "#e3c94a", "#7fd1de", "#b1bac4", "#d1a193",
            "#7ee787",
        ])
    /// Both.
    package static let all = [light, dark]

    /// The colour of a series.
    ///
    /// - Parameter index: Its place; the first stands out.
    /// - Returns: The colour.
    func colour(_ index: Int) -> String { index == 0 ? accent : others[(index - 1) % others.count] }
}
