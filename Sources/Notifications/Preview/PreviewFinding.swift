/// A finding of a check of the drawn notification.
public struct PreviewFinding: Sendable, Hashable {
    /// The severity, such as `warning`.
    public let severity: String
    /// True if the notification, its picture or its interface is not shown.
    public let isError: Bool
    /// The finding, without a full stop.
    public let message: String
    /// The consequence, without a full stop.
    public let consequence: String
    /// The action to take, without a full stop.
    public let remedy: String

    /// Creates a finding.
    public init(
        severity: String, isError: Bool, message: String, consequence: String, remedy: String
    ) {
        self.severity = severity
        self.isError = isError
        self.message = message
        self.consequence = consequence
        self.remedy = remedy
    }

    var markup: Markup {
        .element(
            "li", [:],
            .element("strong", [:], .text("\(severity): ")),
            .text("\(message). \(consequence). Remedy: \(remedy)."))
    }
}
