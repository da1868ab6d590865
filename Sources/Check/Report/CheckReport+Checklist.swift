extension CheckReport {
    /// A place in which to look when a custom notification does not show.
    public struct Checkpoint: Sendable, Hashable, Codable {
        /// The place.
        public let place: Name
        /// The result of the check.
        public let state: State

        /// The six places, in the order in which a person should look.
        ///
        /// The raw values appear in JSON reports and are stable across releases.
        public enum Name: String, Sendable, Codable, CaseIterable {
            /// The category is the same in payload, app and content extension.
            case category
            /// The payload and the app let the system call the service extension.
            case delivery
            /// All targets share an App Group.
            case sharing
            /// The system finds and loads the extensions.
            case extensions
            /// The person expands the notification.
            case expansion
            /// The picture is in the container, and the system takes the attachment.
            case picture
        }

        /// The result of the check of a place.
        ///
        /// The raw values appear in JSON reports and are stable across releases.
        public enum State: String, Sendable, Codable, CaseIterable {
            /// There are errors or warnings.
            case faults
            /// There are neither, but a part of the input is missing.
            case incomplete
            /// There are neither, and everything was checked.
            case clear
            /// Only a person can check it.
            case manual
        }
    }

    /// The results by place, in the order in which a person should look.
    ///
    /// A notification can be free of faults and still show only the system's banner: the custom
    /// interface appears when a person presses and holds it.
    public var checklist: [Checkpoint] {
        Checkpoint.Name.allCases.map { place in
            Checkpoint(place: place, state: state(of: place))
        }
    }

    private func state(of place: Checkpoint.Name) -> Checkpoint.State {
        guard place != .expansion else { return .manual }
        let hasFaults = findings.contains {
            $0.code.step.place == place && $0.severity != .note
        }
        if hasFaults { return .faults }
        // A fault of a file leaves open which place it concerns.
        let hasUnreadable = findings.contains { $0.code.step == .files && $0.severity == .error }
        let isIncomplete = hasUnreadable || unchecked.contains { $0.part.places.contains(place) }
        return isIncomplete ? .incomplete : .clear
    }
}

extension CheckReport.Checkpoint.Name {
    /// The instruction to a person, without a full stop.
    public var instruction: String {
        switch self {
        case .category: "the same category in payload, app and content extension"
        case .delivery: "mutable-content and an alert, so that the service extension is called"
        case .sharing: "the same App Group in app and extensions"
        case .extensions: "extensions that the system finds and loads"
        case .expansion:
            "press and hold the notification, or pull it down: it must be expanded"
        case .picture: "a picture in the container, and an attachment that the system takes"
        }
    }
}

extension CheckReport.Checkpoint.State {
    /// The result, as a phrase.
    public var title: String {
        switch self {
        case .faults: "faults, see above"
        case .incomplete: "no fault found, not all checked"
        case .clear: "no fault"
        case .manual: "by hand, on the device"
        }
    }
}

extension CheckReport.Step {
    /// The place that a step belongs to; nil for the files of the input.
    fileprivate var place: CheckReport.Checkpoint.Name? {
        switch self {
        case .files: nil
        case .category: .category
        case .delivery: .delivery
        case .sharing: .sharing
        case .extensions: .extensions
        case .picture, .attachment: .picture
        }
    }
}

extension CheckInput.Part {
    /// The places whose check needs the part.
    fileprivate var places: [CheckReport.Checkpoint.Name] {
        switch self {
        case .payload: [.category, .delivery, .picture]
        case .profile: [.category, .extensions]
        case .registeredCategory, .sources: [.category]
        case .appEntitlements: [.delivery, .sharing]
        case .serviceEntitlements, .contentEntitlements: [.sharing]
        case .appInfo, .serviceInfo, .controls: [.extensions]
        case .container, .identifier: [.picture]
        }
    }
}
