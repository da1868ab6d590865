public import ArgumentParser

/// The options of payloads on the command line, as text; ``PayloadOption`` declares them.
public struct PayloadFlags: ParsableArguments, Sendable {
    @Option(PayloadOption.profile) package var profile: [String]
    @Option(PayloadOption.profileOptions) package var profileOptions: String?
    @Option(PayloadOption.payloadStyle) package var payloadStyle: String?
    @Option(PayloadOption.allowRoot) package var allowRoot: [String]
    @Flag(PayloadOption.note) package var note: Bool?
    @Option(PayloadOption.noteKey) package var noteKey: String?
    @Flag(PayloadOption.manifestPerNotification) package var manifestPerNotification: Bool?
    @Option(PayloadOption.inline) package var inline: String?
    @Option(PayloadOption.inlineChroma) package var inlineChroma: String?
    @Flag(PayloadOption.fetch) package var fetch: Bool?
    @Option(PayloadOption.deadline) package var deadline: String?
    @Option(PayloadOption.payloadLimit) package var payloadLimit: String?

    /// Creates flags without values.
    public init() {}
}
