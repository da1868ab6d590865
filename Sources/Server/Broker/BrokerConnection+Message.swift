import CRabbitMQ

/// Received messages, frame by frame.
///
/// `amqp_read_message` of librabbitmq would allocate whatever length a sender announces, twice.
extension BrokerConnection {
    /// The message that follows its method; of a long body, the first
    /// ``BrokerMessage/maximumReceivedBytes``.
    func message() throws(BrokerError) -> BrokerMessage {
        let header = try contentFrame(UInt8(AMQP_FRAME_HEADER)).payload.properties
        let properties = header.decoded?.assumingMemoryBound(to: amqp_basic_properties_t.self)
        let identifier = properties.map { String($0.pointee.message_id) } ?? ""
        var body: [UInt8] = []
        var received: UInt64 = 0
        while received < header.body_size {
            // The bytes of the frame before are copied.
            amqp_maybe_release_buffers(state)
            let fragment = try contentFrame(UInt8(AMQP_FRAME_BODY)).payload.body_fragment
            received += UInt64(fragment.len)
            let room = BrokerMessage.maximumReceivedBytes - body.count
            if room > 0 {
                body += UnsafeRawBufferPointer(start: fragment.bytes, count: fragment.len)
                    .prefix(room)
            }
        }
        return BrokerMessage(identifier: identifier, body: body)
    }

    /// The next frame of the channel, which must have a type.
    private func contentFrame(_ type: UInt8) throws(BrokerError) -> amqp_frame_t {
        while true {
            var frame = amqp_frame_t()
            try Self.check(amqp_simple_wait_frame(state, &frame))
            let isMethod = frame.frame_type == UInt8(AMQP_FRAME_METHOD)
            if frame.channel == Self.channel {
                guard frame.frame_type == type else {
                    throw BrokerError(.unreachable, "the broker interrupted a message")
                }
                return frame
            }
            // Other methods of the connection concern publishers, who receive no messages.
            let close = amqp_method_number_t(AMQP_CONNECTION_CLOSE_METHOD)
            if isMethod, frame.payload.method.id == close {
                throw BrokerError(.unreachable, "the broker closed the connection in a message")
            }
        }
    }
}
