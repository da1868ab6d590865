package import Foundation

/// A running `origin.py` on a loopback address.
package final class Origin: Sendable {
    package let port: UInt16
    package let address: String
    private let scheme: String
    private let script: ServerScript

    /// Starts one; `keys` are the paths of a certificate and its key.
    package init(on address: String = "127.0.0.1", keys: (certificate: URL, key: URL)? = nil) throws
    {
        let tls = keys.map { ["--tls", $0.certificate.path, $0.key.path] } ?? []
        script = try ServerScript("origin.py") { _ in tls + [address] }
        self.address = address
        scheme = keys == nil ? "http" : "https"
        guard let port = UInt16(try script.firstLine()) else { throw CocoaError(.executableLoad) }
        self.port = port
    }

    package func url(_ target: String, host: String? = nil) -> String {
        let name = host ?? (address.contains(":") ? "[\(address)]" : address)
        return "\(scheme)://\(name):\(port)\(target)"
    }

    /// Requests so far, one a line: method, target and headers.
    package var requests: [String] { Array(script.lines.dropFirst()) }

    package func count(_ target: String) -> Int {
        requests.count { $0.split(separator: " ")[1] == target }
    }
}
