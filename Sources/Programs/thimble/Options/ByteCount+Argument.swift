public import ArgumentParser
public import AttachmentContainer

extension ByteCount: ExpressibleByArgument {
    /// Reads `10MB`, `12MiB` or a plain number of bytes.
    ///
    /// - Parameter argument: Text from the command line.
    public init?(argument: String) { self.init(parsing: argument) }

    /// The value as the help shows it.
    public var defaultValueDescription: String {
        bytes % (1 << 20) == 0 ? "\(bytes >> 20)MiB" : description.filter { $0 != " " }
    }
}
