import AttachmentContainer
import AttachmentModel
import BenchmarkMeasuring
import Foundation
import OriginServer
import SampleCiphertexts

/// A picture in the clear or in one scheme, and its measurements so far.
final class PrivateCase {
    /// One delivery, with the CPU of its whole process.
    struct Measurement {
        let result: DeliveryResult
        let processor: Double
    }

    let name: String
    private let job: (String) -> DeliveryJob
    /// In a control group whose limit is the cap.
    private(set) var capped: [Measurement] = []
    /// Without a group, where no page cache is taken back.
    private(set) var free: [Measurement] = []

    /// Stores the ciphertext of a picture in a folder; a nil scheme leaves the picture in the clear.
    ///
    /// With `isSealed`, its renditions are encrypted.
    init(
        _ scheme: SampleCiphertext.Scheme?, isSealed: Bool, of picture: URL, at origin: Origin,
        cap: ByteCount, in folder: URL
    ) throws {
        let cap = cap.bytes
        let ending = isSealed ? "; sealed" : ""
        guard let scheme else {
            name = "in the clear, public" + ending
            let url = try Self.url(origin.url("/picture?path=\(picture.path)"))
            job = {
                DeliveryJob(
                    url: url, token: nil, keys: nil, isSealed: isSealed, cap: cap, container: $0)
            }
            return
        }
        let words =
            switch scheme {
            case .counter: "AES-CTR, SHA-256"
            case .chained: "AES-CBC, HMAC-SHA-256, SHA-256"
            case .chainedWithoutDigest: "AES-CBC, HMAC-SHA-256"
            case .galois: "AES-GCM"
            }
        name = words + ending
        let sample = SampleCiphertext(scheme, of: try Data(contentsOf: picture))
        let file = folder.appendingPathComponent("\(picture.lastPathComponent).\(scheme.rawValue)")
        try sample.bytes.write(to: file)
        let url = try Self.url(origin.url("/private?token=secret&path=\(file.path)"))
        let keys = DeliveryJob.Keys(sample)
        job = {
            DeliveryJob(
                url: url, token: "secret", keys: keys, isSealed: isSealed, cap: cap, container: $0)
        }
    }

    private static func url(_ text: String) throws -> URL {
        guard let url = URL(string: text) else { throw BenchmarkError("\(text) is no URL") }
        return url
    }

    /// Delivers once in a new process with a new container; nil for a delivery that does not count.
    func measure(prefix: [String], isCapped: Bool?, in folder: URL) throws {
        let container = folder.appendingPathComponent("container")
        defer { try? FileManager.default.removeItem(at: container) }
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        let words = prefix + [program, "deliver"]
        var output = Data()
        var code = 0
        let cost = try Cost.measured {
            let process = try SpawnedProcess(
                words[0], Array(words.dropFirst()), input: .pipe, errors: STDERR_FILENO)
            try process.input?.write(contentsOf: JSONEncoder().encode(job(container.path)))
            try process.input?.close()
            output = try process.output.readToEnd() ?? Data()
            code = process.wait()
        }
        guard code == 0 else { throw BenchmarkError("\(name): the delivery ended with \(code)") }
        let result = try JSONDecoder().decode(DeliveryResult.self, from: output)
        guard result.outcome == "rendition" else {
            throw BenchmarkError("\(name): \(result.outcome): \(result.reasons)")
        }
        let measurement = Measurement(result: result, processor: cost.processor)
        switch isCapped {
        case true?: capped.append(measurement)
        case false?: free.append(measurement)
        case nil: break
        }
    }
}
