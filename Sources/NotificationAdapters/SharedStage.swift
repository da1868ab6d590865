#if canImport(UserNotifications)
    import AttachmentContainer
    import Dispatch
    import NotificationDelivery
    import Synchronization

    /// The container and the stage that all instances of a service extension share.
    ///
    /// The system makes an instance for every notification and keeps the process. The cap is the
    /// process's, and it is the processor that keeps it: so there is one a process, made when the
    /// first notification comes.
    final class SharedStage: Sendable {
        let container: SharedContainer
        let stage: DeliveryStage

        private let isPruned = Mutex(false)

        private init(_ container: SharedContainer, _ stage: DeliveryStage) {
            self.container = container
            self.stage = stage
        }

        private static let made = Mutex<[ObjectIdentifier: SharedStage]>([:])

        /// The one of an extension's class.
        ///
        /// What stands in the way is tried again with the next notification.
        ///
        /// - Parameter serviceExtension: Who names the group and makes the processor.
        /// - Returns: The one there is, or a new one.
        /// - Throws: Whatever stands in the way.
        static func of(_ serviceExtension: PictureServiceExtension) throws -> SharedStage {
            try made.withLock { made in
                let key = ObjectIdentifier(type(of: serviceExtension))
                if let shared = made[key] { return shared }
                let container = try SharedContainer.create(inAppGroup: serviceExtension.appGroup)
                let processor = try serviceExtension.makeProcessor(
                    serviceExtension.settings, container)
                let shared = SharedStage(
                    container,
                    try DeliveryStage(
                        container: container, processor: processor,
                        configuration: serviceExtension.delivery))
                made[key] = shared
                return shared
            }
        }

        /// Removes what is over a policy's limits, and what killed processes left, once a process.
        ///
        /// - Parameter policy: The limits.
        func pruneOnce(_ policy: PruningPolicy) {
            let isFirst = isPruned.withLock { isPruned in
                defer { isPruned = true }
                return !isPruned
            }
            guard isFirst else { return }
            // Elsewhere: the caller may be the thread that hands over other notifications at once.
            DispatchQueue.global(qos: .utility).async { [container] in
                // What fails, or is cut short when the system suspends the process, the next one does.
                _ = try? container.prune(policy)
            }
        }
    }
#endif
