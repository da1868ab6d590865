public import AttachmentContainer

/// Display settings of a content extension, which its Info.plist does not contain.
///
/// Command-line flags and the keys of an options file have the same names. The file is JSON or a
/// property list:
///
/// ```
/// { "width": 393, "scale": 3, "renderBudget": "8MiB", "fitting": "crop" }
/// ```
public struct DisplayOptions: Sendable, Hashable {
    /// The width of the extension's view, in points, from 1 to 10000.
    ///
    /// The default is nil, which means 440, the widest iPhone.
    public var width: Double?
    /// Pixels per point, from 0.5 to 10.
    ///
    /// The default is nil, which means 3.
    public var scale: Double?
    /// The picture's render budget in the extension, in decoded bytes; at least 4.
    ///
    /// The default is nil, which means 8 MiB. In a file it is a number of bytes, or a string such as
    /// `8MiB`.
    public var renderBudget: ByteCount?
    /// The fitting of a picture with another ratio into the view.
    ///
    /// The default is nil, which means ``Profile/Fitting/fit``.
    public var fitting: Profile.Fitting?

    /// Creates options.
    ///
    /// - Parameters:
    ///   - width: The width of the view, in points. The default is nil.
    ///   - scale: Pixels per point. The default is nil.
    ///   - renderBudget: The render budget, in decoded bytes. The default is nil.
    ///   - fitting: The fitting of a picture with another ratio. The default is nil.
    public init(
        width: Double? = nil, scale: Double? = nil, renderBudget: ByteCount? = nil,
        fitting: Profile.Fitting? = nil
    ) {
        self.width = width
        self.scale = scale
        self.renderBudget = renderBudget
        self.fitting = fitting
    }

    /// Reads an options file.
    ///
    /// An unknown key is an error, so that misspellings are found.
    ///
    /// - Parameter path: The path of a JSON file or a property list.
    /// - Throws: ``ProfileError`` if the file is unreadable, or a key or a value is invalid.
    public init(file path: String) throws(ProfileError) {
        let file = try PropertyListFile(path: path, allowsJSON: true)
        for key in file.root.keys.sorted() where !Self.keys.contains(key) {
            throw ProfileError(
                .invalidValue, file: path, key: key,
                reason: "it must be one of \(Self.keys.joined(separator: ", "))")
        }
        width = try file.value(["width"], as: Double.self)
        scale = try file.value(["scale"], as: Double.self)
        if let text = try? file.value(["renderBudget"], as: String.self) {
            guard let bytes = ByteCount(parsing: text) else {
                throw ProfileError(
                    .invalidValue, file: path, key: "renderBudget",
                    reason: "it must be a number of bytes, such as 8MiB")
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

    /// Returns the options with nil values filled in from other options, such as flags from a file.
    ///
    /// - Parameter others: The options to fill in from.
    /// - Returns: The combined options.
    public func completed(by others: DisplayOptions) -> DisplayOptions {
        DisplayOptions(
            width: width ?? others.width, scale: scale ?? others.scale,
            renderBudget: renderBudget ?? others.renderBudget, fitting: fitting ?? others.fitting)
    }

    /// Checks every value against its range.
    ///
    /// - Parameter source: The file that the values come from. The default is `options`.
    /// - Throws: ``ProfileError`` naming the first invalid value and its range.
    public func validate(in source: String = "options") throws(ProfileError) {
        // ProcessingSettings has the same ranges and receives these values.
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

    var display: Display {
        var display = Display(width: width ?? 440, scale: scale ?? 3)
        if let renderBudget { display.renderBudget = renderBudget }
        return display
    }
}
