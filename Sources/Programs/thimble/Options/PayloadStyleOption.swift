import ArgumentParser
import NotificationStaging
import NotificationPayload
import ThimbleOptions

/// The keys of the pictures, for commands that read payloads and no environment.
struct PayloadStyleOption: ParsableArguments {
    @Option(PayloadOption.payloadStyle) var payloadStyle: String?

    func validate() throws { _ = try style() }

    func style() throws(ValidationError) -> PayloadStyle {
        var choices = PayloadChoices()
        try PayloadOption.payloadStyle.read(given: payloadStyle, nil, into: &choices)
        return choices.staging.payloadStyle
    }
}
