import AttachmentStore
import Foundation

extension ObjectFiles {
    /// The stored result that settles a job; nil if the store has no such result.
    func result(
        of job: FleetJob, within limit: Duration
    ) async throws(StoreError) -> FleetResult? {
        let bytes: [UInt8]?
        do throws(StoreError) {
            bytes = try await contents(
                of: FleetResult.key(job.job), limit: FleetResult.maximumBytes, within: limit)
        } catch {
            // No result is as long, and the one of this job takes its place.
            guard error.code == .tooLarge else { throw error }
            return nil
        }
        let result = bytes.flatMap {
            try? JSONDecoder.fleet.decode(FleetResult.self, from: Data($0))
        }
        return result.flatMap { $0.belongs(to: job) && $0.settles(job) ? $0 : nil }
    }
}
