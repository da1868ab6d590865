import AttachmentContainer
package import AttachmentModel
import Logging

/// Processors of a worker, each for settings of its own.
extension FleetWorker {
    /// The use of a processor by one job.
    package struct Place: Sendable {
        let processor: any AttachmentProcessing
        /// Called once the job is over.
        package let leave: @Sendable () -> Void

        package init(
            _ processor: any AttachmentProcessing, leave: @escaping @Sendable () -> Void
        ) {
            self.processor = processor
            self.leave = leave
        }
    }

    /// Gives a place for settings; nil while all are taken by jobs with other settings.
    package typealias Places = @Sendable (ProcessingSettings) throws -> Place?

    /// All places are taken.
    struct NoPlace: Error {}

    /// A place for a job, and its presets, which every worker makes; nil while all are taken.
    func place(
        for job: FleetJob
    ) throws(FleetFailure) -> (place: Place, presets: PresetSelection)? {
        var ordered: ProcessingSettings
        do throws(SettingsError) {
            ordered = try job.settings.settings(over: settings)
        } catch {
            throw FleetFailure(.init(error))
        }
        let presets = ordered.presets
        // Workers are started for settings, and make any presets.
        ordered.presets = settings.presets
        do {
            return try places(ordered).map { ($0, presets) }
        } catch {
            logger.error("no worker can be started", metadata: ["reason": "\(error)"])
            throw FleetFailure(.init(error))
        }
    }
}
