import NotificationDelivery

extension DeliveryStage {
    /// Delivers all attachments of a payload at once, and returns the answers in their order.
    func deliver(_ requests: [DeliveryRequest]) async -> [DeliveryAnswer] {
        guard requests.count > 1 else {
            return requests.isEmpty ? [] : [await deliver(requests[0])]
        }
        return await withTaskGroup(of: (Int, DeliveryAnswer).self) { group in
            for (index, request) in requests.enumerated() {
                group.addTask { (index, await self.deliver(request)) }
            }
            var answers: [Int: DeliveryAnswer] = [:]
            for await (index, answer) in group { answers[index] = answer }
            return requests.indices.compactMap { answers[$0] }
        }
    }
}
