import AttachmentContainer
import AttachmentFetch
@testable import AttachmentFleet
import AttachmentModel
@testable import AttachmentService
import Foundation
import NotificationDelivery
import NotificationStaging
import Testing

@Suite("Faults at borders", .timeLimit(.minutes(1)))
struct FaultBorderTests {
    private struct Document: Decodable {
        let status: Int
        let code: String
        let domain: Fault.Domain?
        let detail: String
        let remedy: String
    }

    private func document(of problem: Problem) throws -> Document {
        try JSONDecoder().decode(Document.self, from: Data(problem.json(requestID: "r")))
    }

    /// The failure of a worker of the fleet, as its client gets it.
    private func throughFleet(_ failure: FleetResult.Failure) throws -> AttachmentError {
        let job = FleetJob(.object("sources/a"), identifier: "x")
        let result = FleetResult(job, failure: failure, worker: "w")
        let stored = try JSONDecoder.fleet.decode(
            FleetResult.self, from: try JSONEncoder.fleet.encode(result))
        return AttachmentError(try #require(stored.failure), of: "a.jpg")
    }

    /// Domain, code, reason and remedy, joined.
    private func facts(_ fault: Fault) -> String {
        [fault.domain.rawValue, fault.code, fault.reason, fault.remedy].joined(separator: "|")
    }

    @Test(
        "Every code of attachments crosses the fleet, HTTP and a payload's report whole",
        arguments: AttachmentError.Code.allCases)
    func attachments(code: AttachmentError.Code) throws {
        let error = AttachmentError(code, file: "a.jpg", reason: "r", remedy: "one of its own")
        let usual = AttachmentError(code, file: "a.jpg", reason: "r")
        for fault in [error, usual].map(\.fault) {
            let arrived = try throughFleet(.init(fault, lifetime: code.lifetime))
            #expect(facts(arrived.fault) == facts(fault))
            // A worker stores no result of a cancelled job.
            #expect(arrived.code == (code == .cancelled ? .service : code))
            let document = try document(of: Problem(arrived))
            #expect(document.code == fault.code && document.domain == .attachment)
            #expect(document.detail == fault.reason && document.remedy == fault.remedy)
            let reason = DeliveryReason(arrived)
            #expect(facts(reason.fault) == facts(fault))
            let line = PayloadReport.Reason(reason)
            #expect(line.code == fault.code && line.remedy == fault.remedy)
            #expect(line.domain == .attachment)
        }
    }

    @Test("A code of another domain is neither replaced nor called the picture's fault")
    func otherDomains() throws {
        let settings = SettingsError(field: "width", range: "from 1 to 10").fault
        let failures: [(FleetResult.Failure, AttachmentError.Code, Int)] = [
            (.init(settings, lifetime: .attempt), .service, 503),
            (.unknownSource, .service, 503),
            (.consumerLost, .crashed, 422),
            (.late, .late, 422),
            (
                .init(FetchError(.tls, host: "h", reason: "its certificate is old")), .service, 503
            ),
        ]
        for (failure, code, status) in failures {
            let error = try throughFleet(failure)
            #expect(error.code == code, "\(failure.code)")
            let document = try document(of: Problem(error))
            #expect(document.status == status, "\(failure.code)")
            #expect(document.code == failure.fault.code)
            #expect(document.remedy == failure.fault.remedy)
            #expect(document.domain == failure.fault.domain)
        }
    }

    @Test("A result of before domains is one of attachments; a made-up code is not passed on")
    func strangers() throws {
        let old = #"{"code":"truncated","reason":"r","remedy":"m","lifetime":5}"#
        let failure = try JSONDecoder().decode(FleetResult.Failure.self, from: Data(old.utf8))
        #expect(AttachmentError(failure, of: "a").code == .truncated)
        for code in ["", "A B", "x\u{1B}[2J", String(repeating: "a", count: 65)] {
            let forged = FleetResult.Failure(
                Fault(.fleet, code, reason: "a\u{7}b", remedy: "c\u{1B}d"), lifetime: .attempt)
            let fault = AttachmentError(forged, of: "a").fault
            #expect(fault.code == "service" && fault.reason == "ab" && fault.remedy == "cd")
        }
        // A metric has no more labels than codes.
        let other = FleetResult.Failure(
            Fault(.fleet, "made-up", reason: "r", remedy: "m"), lifetime: .attempt)
        let problem = Problem(AttachmentError(other, of: "a"))
        #expect(problem.code == "made-up" && problem.label == "service")
    }
}
