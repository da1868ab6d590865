struct Palette: Sendable {
    /// Suffix of the file name.
    let name: String
    let background, ink, faint, grid, accent: String
    /// Distinguishable on this background with any colour vision.
    let others: [String]

    static let light = Palette(
        name: "light", background: "#ffffff", ink: "#1f2328", faint: "#59636e", grid: "#d8dee4",
        accent: "#c2255c",
        others: [
            "#0072b2", "#009e73", "#b35c00", "#6f42c1", "#8a6d00", "#3a7d8c", "#5b6470", "#8c564b",
            "#2b6a3f",
        ])
    static let dark = Palette(
        name: "dark", background: "#0d1117", ink: "#e6edf3", faint: "#9da7b1", grid: "#30363d",
        accent: "#ff6b9d",
        others: [
            "#56b4e9", "#2fd6a5", "#f0a35c", "#b392f0", "#e3c94a", "#7fd1de", "#b1bac4", "#d1a193",
            "#7ee787",
        ])
    static let all = [light, dark]

    func colour(_ index: Int) -> String { index == 0 ? accent : others[(index - 1) % others.count] }
}
