package import AttachmentContainer

/// Kinds of faults that are a delivery's own, each with its remedy.
///
/// ``DeliveryReason/Code`` says what each means. A reason may also be the fault of another domain.
package enum DeliveryFault: String, FaultCode {
    case noAttachment = "no-attachment"
    case wrongType = "wrong-type"
    case unavailable
    case outsideRoots = "outside-roots"
    case linkLeadsOut = "link-leads-out"
    case missing
    case isFolder = "is-folder"
    case notRegular = "not-regular"
    case unreadable
    case deadline
    case expired
    case cancelled
    case lowerRung = "lower-rung"
    case earlierRenditions = "earlier-renditions"
    case passedThrough = "passed-through"
    case typeNotAttachable = "type-not-attachable"
    case overTypeLimit = "over-type-limit"
    case overRenderBudget = "over-render-budget"
    case damaged
    case encrypted
    case sealed
    case storage
    case noRoom = "no-room"
    case unpublished

    package static var domain: Fault.Domain { .delivery }

    package var remedy: String {
        switch self {
        case .noAttachment: "add an attachment if a picture is expected"
        case .wrongType: "write the picture's URL or path under the key"
        case .unavailable: "fetch the picture first, and name the file in the payload"
        case .outsideRoots: "move the file into an allowed folder, or allow its folder"
        case .linkLeadsOut: "move the file itself into an allowed folder, or allow its folder"
        case .missing: "check the path, and that the file is not removed too early"
        case .isFolder: "name a file"
        case .notRegular: "store the attachment in a file"
        case .unreadable: "check that this process may read the file"
        case .deadline: "allow more time, or send a smaller picture"
        case .expired: "send a smaller picture"
        case .cancelled: "deliver the notification again"
        case .lowerRung: "raise the cap or the time, or send a smaller picture"
        case .earlierRenditions: "process the attachment again with more time"
        case .passedThrough: "no action is needed"
        case .typeNotAttachable:
            "send JPEG, PNG or GIF, so that the original can serve as a fallback"
        case .overTypeLimit: "send a smaller file"
        case .overRenderBudget: "send a smaller picture, or raise the render budget"
        case .damaged: "export the picture again from its source"
        case .encrypted:
            "send a picture that can be reduced in the time and memory allowed, or sound and movies in "
                + "the clear"
        case .sealed: "no action is needed: the content extension shows the picture"
        case .storage: "check the folder's free space and permissions"
        case .noRoom: "shorten the payload, or publish under a shorter URL"
        case .unpublished: "publish the renditions under a URL"
        }
    }
}

extension DeliveryReason {
    /// Creates a reason of a kind; without a remedy of its own, it gets the kind's.
    package init(
        _ kind: DeliveryFault, reason: String, remedy: String? = nil, cause: Fault? = nil
    ) {
        self.init(kind.fault(reason: reason, remedy: remedy, cause: cause))
    }
}
