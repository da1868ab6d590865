package import AttachmentContainer

/// A failure of the broker, with the reason and the remedy.
///
/// No text contains a password or a part of a message.
package struct BrokerError: FaultConvertible, Sendable, Hashable {
    package enum Code: String, Sendable, Codable, CaseIterable {
        /// No node accepts a connection, or the connection was lost.
        case unreachable
        /// The user, the password or the virtual host is wrong.
        case denied
        /// The user may not use a queue or an exchange.
        case forbidden
        /// A queue exists with other arguments.
        case mismatch
        /// The queue is full, or its leader is not there.
        case rejected
        /// The queue does not exist.
        case unroutable
        /// The message is longer than the broker accepts.
        case tooLarge = "too-large"
        /// The broker is short of memory or disk, and accepts no messages.
        case blocked
        case late
        case closed
    }

    package let code: Code
    /// The fault, in a sentence without its full stop.
    package let reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}

extension BrokerError.Code {
    /// A remedy for the caller, without a full stop.
    package var remedy: String {
        switch self {
        case .unreachable: "check that a node runs at the address, and that it can be reached"
        case .denied: "check user, password and virtual host of the broker's URL"
        case .forbidden:
            "allow the user to configure, write and read the queues of the prefix, amq.gen-* and "
                + "amq.default (rabbitmqctl set_permissions)"
        case .mismatch: "use the same settings on all machines, or another prefix of queues"
        case .rejected: "wait until workers have emptied the queue, or start more of them"
        case .unroutable: "check the prefix of the queues"
        case .tooLarge: "send a shorter message"
        case .blocked: "free some memory or disk of the broker"
        case .late: "allow more time, or start more workers"
        case .closed: "try again after the start"
        }
    }
}

extension BrokerError {
    package var fault: Fault {
        Fault(.broker, code.rawValue, reason: reason, remedy: code.remedy)
    }

    /// Reason and remedy, in one line.
    package var description: String { "\(reason); \(code.remedy)" }
}
