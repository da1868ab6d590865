import AttachmentContainer
import AttachmentModel

/// Encoded as arrays, like `SupervisorMessage`.
extension WorkerMessage: Codable {
    private enum Kind: Int, Codable {
        case ready, unable, started, done, inspected, failed, still
    }

    package init(from decoder: any Decoder) throws {
        var fields = try decoder.unkeyedContainer()
        switch try fields.decode(Kind.self) {
        case .ready: self = .ready(try fields.decode(WorkerReady.self))
        case .unable: self = .unable(try fields.decode(Fault.self))
        case .started: self = .started(try fields.decode(WorkerStarted.self))
        case .done: self = .done(try fields.decode(Rendering.self))
        case .inspected: self = .inspected(try fields.decode(InspectedAttachment.self))
        case .still: self = .still(try fields.decode(EncodedStill.self))
        case .failed: self = .failed(try fields.decode(AttachmentError.self))
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.unkeyedContainer()
        switch self {
        case .ready(let ready):
            try fields.encode(Kind.ready)
            try fields.encode(ready)
        case .unable(let fault):
            try fields.encode(Kind.unable)
            try fields.encode(fault)
        case .started(let started):
            try fields.encode(Kind.started)
            try fields.encode(started)
        case .done(let rendering):
            try fields.encode(Kind.done)
            try fields.encode(rendering)
        case .inspected(let attachment):
            try fields.encode(Kind.inspected)
            try fields.encode(attachment)
        case .still(let still):
            try fields.encode(Kind.still)
            try fields.encode(still)
        case .failed(let error):
            try fields.encode(Kind.failed)
            try fields.encode(error)
        }
    }
}
