#if canImport(UserNotifications)
    import AttachmentContainer
    import AttachmentModel
    import Dispatch
    import Foundation
    import NotificationDelivery

    /// The container and stage shared by all instances of a service extension.
    ///
    /// The system creates an instance for each notification and keeps the process. The cap applies to
    /// the process and the processor enforces it, so each process has one processor.
    final class SharedStage: Sendable {
        let container: SharedContainer
        let stage: DeliveryStage

        private let isTemporary: Bool
        private let rhythm = Lock(PruningRhythm())

        private init(
            _ container: SharedContainer, isTemporary: Bool, _ stage: DeliveryStage
        ) {
            self.container = container
            self.isTemporary = isTemporary
            self.stage = stage
        }

        private struct Key: Hashable {
            let type: ObjectIdentifier
            let appGroup: String
        }

        private static let stages = Lock<[Key: SharedStage]>([:])

        /// Returns the shared stage of an extension's class and App Group, created on first use.
        ///
        /// A failed creation is retried with the next notification, and so is a group that was closed.
        static func of(_ serviceExtension: PictureServiceExtension) throws -> SharedStage {
            try stages.withLock { stages in
                let key = Key(
                    type: ObjectIdentifier(type(of: serviceExtension)),
                    appGroup: serviceExtension.appGroup)
                let known = stages[key]
                if let known, !known.isTemporary { return known }
                let place = try StageContainer.open(
                    orIn: FileManager.default.temporaryDirectory,
                    protection: serviceExtension.protection
                ) { () throws(ContainerError) in
                    try SharedContainer.create(
                        inAppGroup: serviceExtension.appGroup,
                        protection: serviceExtension.protection)
                }
                if let known, place.isTemporary { return known }
                var settings = serviceExtension.settings
                // A later, lower limit would apply to another process.
                settings.cap = settings.cap.loweredToLimit()
                let container = place.container(sealedBy: serviceExtension.sealingKeys)
                let processor = try serviceExtension.makeProcessor(settings, container)
                let shared = SharedStage(
                    container, isTemporary: place.isTemporary,
                    try DeliveryStage(
                        container: container, processor: processor,
                        configuration: serviceExtension.delivery))
                stages[key] = shared
                return shared
            }
        }

        func pruneWhenDue(_ policy: PruningPolicy) {
            guard rhythm.withLock({ $0.isDue(policy) }) else { return }
            // On another queue: the calling thread may have other notifications to deliver.
            DispatchQueue.global(qos: .utility).async { [container] in
                // After a failure or suspension, the next process continues.
                _ = try? container.prune(policy)
            }
        }
    }
#endif
