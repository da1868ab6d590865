public import ArgumentParser
public import AttachmentModel

/// A selection of presets on the command line.
public struct PresetNames: ExpressibleByArgument, Sendable {
    /// The presets.
    public let selection: PresetSelection

    /// Creates a selection.
    public init(selection: PresetSelection) { self.selection = selection }

    /// Parses names separated by commas; nil if one is unknown.
    public init?(argument: String) {
        guard let selection = PresetSelection(parsing: argument) else { return nil }
        self.init(selection: selection)
    }

    /// The names, separated by commas.
    public var defaultValueDescription: String { selection.description }
}
