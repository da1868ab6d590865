#if canImport(UserNotifications)
    import AttachmentContainer
    import Dispatch
    import NotificationDelivery

    /// The container and stage shared by all instances of a service extension.
    ///
    /// The system creates an instance for each notification and keeps the process. The cap applies to
    /// the process and the processor enforces it, so each process has one processor.
    final class SharedStage: Sendable {
        let container: SharedContainer
        let stage: DeliveryStage

        private let isPruned = Lock(false)

        private init(_ container: SharedContainer, _ stage: DeliveryStage) {
            self.container = container
            self.stage = stage
        }

        private static let stages = Lock<[ObjectIdentifier: SharedStage]>([:])

        /// Returns the shared stage of an extension's class, created on first use.
        ///
        /// A failed creation is retried with the next notification.
        static func of(_ serviceExtension: PictureServiceExtension) throws -> SharedStage {
            try stages.withLock { stages in
                let key = ObjectIdentifier(type(of: serviceExtension))
                if let shared = stages[key] { return shared }
                let container = try SharedContainer.create(inAppGroup: serviceExtension.appGroup)
                let processor = try serviceExtension.makeProcessor(
                    serviceExtension.settings, container)
                let shared = SharedStage(
                    container,
                    try DeliveryStage(
                        container: container, processor: processor,
                        configuration: serviceExtension.delivery))
                stages[key] = shared
                return shared
            }
        }

        func pruneOnce(_ policy: PruningPolicy) {
            let isFirst = isPruned.withLock { isPruned in
                defer { isPruned = true }
                return !isPruned
            }
            guard isFirst else { return }
            // On another queue: the calling thread may have other notifications to deliver.
            DispatchQueue.global(qos: .utility).async { [container] in
                // After a failure or suspension, the next process continues.
                _ = try? container.prune(policy)
            }
        }
    }
#endif
