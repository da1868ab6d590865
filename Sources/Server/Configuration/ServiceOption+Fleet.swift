import Foundation
import ThimbleOptions

/// Options for a fleet of machines.
extension ServiceOption {
    static var fleets: [ServiceOption] {
        [broker, queuePrefix, maxJobs, fleet]
    }

    static var broker: ServiceOption {
        .list(
            "broker", \.broker, \.broker, "URLs such as amqp://user:password@host:5672",
            "RabbitMQ node; may be repeated, and is better in the environment or the file than on the "
                + "command line, which others can see.",
            valueName: "urls",
            parse: { text in
                let urls = text.split(separator: ",").map { String($0.trimmingPrefix(" ")) }
                let isValid = urls.allSatisfy {
                    $0.hasPrefix("amqp://") || $0.hasPrefix("amqps://")
                }
                return isValid ? urls : nil
            },
            show: { urls in
                urls.map { url in
                    // Without user and password.
                    guard let parts = URLComponents(string: url), let host = parts.host else {
                        return "an invalid URL"
                    }
                    return "\(parts.scheme ?? "amqp")://\(host)\(parts.port.map { ":\($0)" } ?? "")"
                }.joined(separator: ",")
            })
    }
    static var queuePrefix: ServiceOption {
        ServiceOption(
            "queue-prefix", \.queuePrefix, \.queuePrefix,
            "1 to 100 letters, digits, '-', '.' and '_', not beginning with 'amq.'",
            "Beginning of the names of the fleet's queues.", valueName: "name",
            parse: { text in
                let isSafe = text.allSatisfy {
                    $0.isASCII && ($0.isLetter || $0.isNumber || "-._".contains($0))
                }
                // Such names are the broker's own.
                let isReserved = text.hasPrefix("amq.")
                return isSafe && !isReserved && 1...100 ~= text.count ? text : nil
            })
    }
    static var maxJobs: ServiceOption {
        .count(
            "max-jobs", \.maxJobs, \.maxJobs, 1...100_000_000,
            "Maximum number of jobs in a queue; more are refused. Equal on all machines.")
    }
    static var fleet: ServiceOption {
        .answer(
            "fleet", \.fleet, \.fleet,
            "Have attachments processed by the workers of --broker, through the store of --publish."
        )
    }
}
