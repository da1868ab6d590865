public import AttachmentFetch
public import AttachmentStore
public import NotificationDelivery

extension DeliveryReason {
    /// The reason for an attachment that could not be fetched, without its host.
    ///
    /// - Parameter error: The failure, whose code becomes that of the reason.
    public init(_ error: FetchError) {
        self.init(
            Code(rawValue: error.code.rawValue), message: error.reason, remedy: error.code.remedy)
    }

    /// The reason for an attachment whose rendition could not be published.
    ///
    /// - Parameter error: The failure; its code `unreachable` becomes `publish-unreachable`.
    public init(_ error: StoreError) {
        self.init(
            Code(error.code), message: "the rendition was not published: \(error.reason)",
            remedy: error.code.remedy)
    }
}

extension DeliveryReason.Code {
    private static let prefix = "publish-"

    init(_ code: StoreError.Code) { self.init(rawValue: Self.prefix + code.rawValue) }

    /// The store's code; nil for other reasons.
    package var ofStore: StoreError.Code? {
        guard rawValue.hasPrefix(Self.prefix) else { return nil }
        return StoreError.Code(rawValue: String(rawValue.dropFirst(Self.prefix.count)))
    }
}
