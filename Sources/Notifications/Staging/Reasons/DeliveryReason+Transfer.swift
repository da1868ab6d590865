import AttachmentContainer
public import AttachmentFetch
public import AttachmentStore
public import NotificationDelivery

extension DeliveryReason {
    /// The reason for an attachment that could not be fetched, without its host.
    ///
    /// - Parameter error: The failure, whose code becomes the reason's code.
    public init(_ error: FetchError) { self.init(error.fault) }

    /// The reason for an attachment whose rendition could not be published.
    ///
    /// - Parameter error: The failure; its code `unreachable` becomes `publish-unreachable`.
    public init(_ error: StoreError) {
        let fault = error.fault
        self.init(fault.with(reason: "the rendition was not published: \(fault.reason)"))
    }
}
