public import AttachmentContainer

/// What a content extension has to show a picture with, as far as it is said: no Info.plist says it.
///
/// The names are those of the command line's flags and of the keys in a file of ours, which is JSON
/// or a property list:
///
/// ```
/// { "width": 393, "scale": 3, "renderBudget": "8MiB", "fitting": "crop" }
/// ```
public struct DisplayOptions: Sendable, Hashable {
    /// The width of the extension's view, in points, from 1 to 10000.
    ///
    /// The default is nil, which stands for 440, the widest iPhone.
    public var width: Double?
    /// Pixels a point, from 0.5 to 10.
    ///
    /// The default is nil, which stands for 3.
    public var scale: Double?
    /// The decoded bytes that the extension may spend on the picture, at least 4.
    ///
    /// The default is nil, which stands for 8 MiB. In a file it is a number of bytes, or a text such
    /// as `8MiB`.
    public var renderBudget: ByteCount?
    /// How a picture of another ratio is made to suit the view.
    ///
    /// The default is nil, which stands for ``Profile/Fitting/fit``.
    public var fitting: Profile.Fitting?

    /// Makes options.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in points. The default is not said.
    ///   - scale: Pixels a point. The default is not said.
    ///   - renderBudget: The decoded bytes that may be spent. The default is not said.
    ///   - fitting: How a picture of another ratio is made to suit. The default is not said.
    public init(
        width: Double? = nil, scale: Double? = nil, renderBudget: ByteCount? = nil,
        fitting: Profile.Fitting? = nil
    ) {
        self.width = width
        self.scale = scale
        self.renderBudget = renderBudget
        self.fitting = fitting
    }

    /// Reads a file of ours.
    ///
    /// A key that is not known is an error, so that a misspelt one does not go unseen.
    ///
    /// - Parameter path: The path of a JSON file or a property list.
    /// - Throws: ``ProfileError`` when it cannot be read, or a key or a value in it is not one of
    ///   the above.
    public init(file path: String) throws(ProfileError) {
        let file = try PropertyListFile(path: path, allowsJSON: true)
        for key in file.root.keys.sorted() where !Self.keys.contains(key) {
            throw ProfileError(
                .invalidValue, file: path, key: key,
                reason: "it is none of \(Self.keys.joined(separator: ", "))")
        }
        width = try file.value(["width"], as: Double.self)
        scale = try file.value(["scale"], as: Double.self)
        if let text = try? file.value(["renderBudget"], as: String.self) {
            guard let bytes = ByteCount(parsing: text) else {
                throw ProfileError(
                    .invalidValue, file: path, key: "renderBudget",
                    reason: "it is no number of bytes such as 8MiB")
            }
            renderBudget = bytes
        } else {
            renderBudget = try file.value(["renderBudget"], as: Int.self).map { ByteCount($0) }
        }
        if let name = try file.value(["fitting"], as: String.self) {
            guard let fitting = Profile.Fitting(rawValue: name) else {
                let names = Profile.Fitting.allCases.map(\.rawValue).joined(separator: " or ")
                throw ProfileError(
                    .invalidValue, file: path, key: "fitting", reason: "it must be \(names)")
            }
            self.fitting = fitting
        }
        try validate(in: path)
    }

    /// The same, with what is not said taken from other options: flags before a file.
    ///
    /// - Parameter others: Where the rest comes from.
    /// - Returns: The options together.
    public func completed(by others: DisplayOptions) -> DisplayOptions {
        DisplayOptions(
            width: width ?? others.width, scale: scale ?? others.scale,
            renderBudget: renderBudget ?? others.renderBudget, fitting: fitting ?? others.fitting)
    }

    /// Checks every value against its range.
    ///
    /// - Parameter source: The file that the values come from. The default is `options`.
    /// - Throws: ``ProfileError`` naming the first one at fault and its range.
    public func validate(in source: String = "options") throws(ProfileError) {
        // The ranges of ProcessingSettings, which the values go into.
        let isWidth = width.map { $0.isFinite && 1...10_000 ~= $0 } ?? true
        let isScale = scale.map { $0.isFinite && 0.5...10 ~= $0 } ?? true
        let faults: [(holds: Bool, key: String, range: String)] = [
            (isWidth, "width", "from 1 to 10000 points"),
            (isScale, "scale", "from 0.5 to 10"),
            ((renderBudget?.bytes ?? 4) >= 4, "renderBudget", "at least 4 bytes, one pixel"),
        ]
        guard let fault = faults.first(where: { !$0.holds }) else { return }
        throw ProfileError(
            .invalidValue, file: source, key: fault.key, reason: "it must be \(fault.range)")
    }

    private static let keys = ["width", "scale", "renderBudget", "fitting"]

    /// The display, with the defaults for what is not said.
    var display: Display {
        var display = Display(width: width ?? 440, scale: scale ?? 3)
        if let renderBudget { display.renderBudget = renderBudget }
        return display
    }
}
