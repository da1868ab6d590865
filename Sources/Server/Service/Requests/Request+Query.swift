import Hummingbird
import NotificationCheck

extension Request {
    /// Refuses query parameters that an endpoint does not have.
    func checkQuery(_ names: [String]) throws(Problem) {
        for (name, _) in uri.queryParameters where !names.contains(String(name)) {
            throw .unknown("query parameter", String(name), names)
        }
    }

    /// True for a flag that is `1` or `true`, false for one that is absent, `0` or `false`.
    func queryFlag(_ name: String) throws(Problem) -> Bool {
        switch uri.queryParameters.get(name) {
        case nil, "0", "false": false
        case "1", "true": true
        default: throw .invalid(name, "1, true, 0 or false")
        }
    }
}

extension Problem {
    /// A misspelt name would otherwise have no effect.
    static func unknown(_ kind: String, _ name: String, _ names: [String]) -> Problem {
        Problem(
            400, "unknown-name", "Unknown name",
            detail: "the request has an unknown \(kind): \(String(name.prefix(50)).printable)",
            remedy: names.isEmpty
                ? "remove it: there are none here" : NearMiss.remedy(for: name, among: names))
    }
}

extension String {
    /// Control characters as question marks.
    fileprivate var printable: String {
        String(
            map { $0.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F } ? $0 : "?" }
        )
    }
}
