internal import Foundation
internal import Subprocess
internal import SystemPackage

/// Compares pictures with a reference, using `bench/fidelity/quality.py`.
///
/// The reference decoder is independent of all peers.
struct QualityMeter: Sendable {
    /// True if the interpreter has the package `ssimulacra2`.
    let hasSSIMULACRA2: Bool
    private let python: String
    private let script: String
    private let cache: String

    /// Chooses the interpreter of the benchmark, else the system's.
    init(_ folders: BenchmarkFolders) async throws(BenchmarkError) {
        script = folders.tools.appending(path: "fidelity/quality.py").path
        cache = folders.kept.appending(path: "references").path
        let needs = "import numpy, PIL"
        hasSSIMULACRA2 = await Self.runs(needs + ", ssimulacra2", folders.python.path)
        python = hasSSIMULACRA2 ? folders.python.path : "/usr/bin/python3"
        guard await Self.runs(needs, python) else {
            throw BenchmarkError(
                "no quality columns; to install what they need: apt-get install python3-numpy python3-pil libgs-common "
                    + "libheif-examples libavif-bin")
        }
    }

    private static func runs(_ statement: String, _ python: String) async -> Bool {
        let found = try? await run(
            .path(FilePath(python)), arguments: ["-c", statement], output: .discarded,
            error: .discarded)
        return found?.terminationStatus.isSuccess == true
    }

    private struct Request: Encodable {
        let source: String
        let rendition: String
    }

    private struct Answer: Decodable {
        let psnr: Double?
        let ssim: Double?
        let ssimulacra2: Double?
        let loss: Double?
        let fault: String?
    }

    /// Compares a picture with a reference made from its source.
    func compare(_ rendition: URL, with source: URL) async throws(BenchmarkError) -> Quality {
        let answer: Answer
        do {
            let line = try JSONEncoder().encode(
                Request(source: source.path, rendition: rendition.path))
            let result = try await run(
                // No compiled modules are left in the folder of the scripts.
                .path(FilePath(python)), arguments: ["-B", script, "--cache", cache],
                input: .string(String(decoding: line, as: UTF8.self) + "\n"),
                output: .string(limit: 1 << 16), error: .string(limit: 1 << 16))
            guard result.terminationStatus.isSuccess else {
                throw BenchmarkError(result.standardError)
            }
            answer = try JSONDecoder().decode(Answer.self, from: Data(result.standardOutput.utf8))
        } catch {
            throw BenchmarkError("not compared: \(error)")
        }
        guard let psnr = answer.psnr, let ssim = answer.ssim else {
            throw BenchmarkError(answer.fault ?? "not compared")
        }
        return Quality(
            psnr: psnr, ssim: ssim, ssimulacra2: answer.ssimulacra2, loss: answer.loss)
    }
}
