import AttachmentFetch
import AttachmentModel
import AttachmentStore
import NotificationDelivery
import NotificationStaging

extension DeliveryReason {
    /// The remedy with the options that change the limit or the rule.
    var remedyWithOptions: String {
        if let code = code.ofStore { return code.remedyWithOptions }
        // Some codes of processing and of fetching have the same name.
        if let code = AttachmentError.Code(rawValue: code.rawValue), code.remedy == remedy {
            return code.remedyWithOptions
        }
        if let code = FetchError.Code(rawValue: code.rawValue), code.remedy == remedy {
            return code.remedyWithOptions
        }
        return remedy
    }
}

extension StoreError.Code {
    /// The remedy with the options that matter.
    var remedyWithOptions: String {
        let options: [String] =
            switch self {
            case .region: ["--s3-region"]
            case .unreachable, .noBucket, .unsupported: ["--s3-endpoint"]
            case .late: ["--deadline"]
            default: []
            }
        return options.isEmpty ? remedy : "\(remedy) (\(options.joined(separator: ", ")))"
    }
}
