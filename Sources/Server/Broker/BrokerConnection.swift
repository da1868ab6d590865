import CRabbitMQ
import Foundation

/// A connection to one node of a broker, for one thread.
///
/// librabbitmq sends and checks heartbeats only while it waits for frames, so its owner calls
/// ``nextEvent()`` at least each second.
struct BrokerConnection: ~Copyable {
    enum Event {
        case delivery(BrokerDelivery)
        /// Published messages up to this number, or only that one, are durable.
        case confirmed(UInt64, isMultiple: Bool)
        case rejected(UInt64, isMultiple: Bool)
        /// No queue has the name; a confirmation follows.
        case returned
        case blocked(String)
        case unblocked
    }

    static let channel: amqp_channel_t = 1

    let state: amqp_connection_state_t

    private init(_ state: amqp_connection_state_t) { self.state = state }

    /// Connects, logs in and opens a channel.
    static func open(
        to node: BrokerSettings.Node, _ settings: BrokerSettings
    ) throws(BrokerError) -> BrokerConnection {
        guard let state = amqp_new_connection() else {
            throw BrokerError(.unreachable, "there is no memory for a connection")
        }
        let connection = BrokerConnection(state)
        try connection.logIn(to: node, settings)
        try connection.openChannel()
        return connection
    }

    private func logIn(
        to node: BrokerSettings.Node, _ settings: BrokerSettings
    ) throws(BrokerError) {
        let socket = node.isEncrypted ? amqp_ssl_socket_new(state) : amqp_tcp_socket_new(state)
        guard let socket else {
            throw BrokerError(.unreachable, "there is no memory for a connection")
        }
        if node.isEncrypted, let authorities = settings.authorities {
            try Self.check(amqp_ssl_socket_set_cacert(socket, authorities), node)
        }
        var handshake = timeval(BrokerSettings.handshake)
        var request = timeval(BrokerSettings.request)
        try Self.check(amqp_set_handshake_timeout(state, &handshake), node)
        try Self.check(amqp_set_rpc_timeout(state, &request), node)
        try Self.check(
            amqp_socket_open_noblock(socket, node.host, CInt(node.port), &handshake), node)
        let login = thimble_amqp_login(
            state, node.virtualHost, CInt(BrokerSettings.heartbeat), node.user, node.password)
        try Self.check(login, .denied)
    }

    deinit { amqp_destroy_connection(state) }

    /// Ends the connection in order; messages without an acknowledgement go back to their queues.
    consuming func close() { _ = amqp_connection_close(state, AMQP_REPLY_SUCCESS) }

    private func openChannel() throws(BrokerError) {
        amqp_channel_open(state, Self.channel)
        try check(.unreachable)
    }

    /// Opens the channel again, because one whose message was rejected may reject all.
    ///
    /// Confirmations begin again at 1.
    func reopenChannel() throws(BrokerError) {
        try Self.check(
            amqp_channel_close(state, Self.channel, AMQP_REPLY_SUCCESS), .unreachable)
        try openChannel()
    }

    func enableConfirmations() throws(BrokerError) {
        amqp_confirm_select(state, Self.channel)
        try check(.unreachable)
    }

    /// Publishes a durable message to a queue; with confirmations enabled, its confirmation follows.
    func publish(_ message: BrokerMessage, to queue: String) throws(BrokerError) {
        try publish(message, to: amqp_empty_bytes, queue, isMandatory: true)
    }

    /// Publishes a message to every queue of an exchange.
    func publish(_ message: BrokerMessage, toAllOf exchange: String) throws(BrokerError) {
        let result = exchange.withAMQPBytes { bytes in
            Result { () throws(BrokerError) in
                try publish(message, to: bytes, "", isMandatory: false)
            }
        }
        try result.get()
    }

    private func publish(
        _ message: BrokerMessage, to exchange: amqp_bytes_t, _ queue: String, isMandatory: Bool
    ) throws(BrokerError) {
        let status = message.body.withAMQPBytes { body in
            queue.withAMQPBytes { queue in
                message.identifier.withAMQPBytes { identifier in
                    var properties = amqp_basic_properties_t()
                    properties._flags =
                        amqp_flags_t(AMQP_BASIC_DELIVERY_MODE_FLAG)
                        | amqp_flags_t(AMQP_BASIC_MESSAGE_ID_FLAG)
                        | amqp_flags_t(AMQP_BASIC_CONTENT_TYPE_FLAG)
                    properties.delivery_mode = 2
                    properties.message_id = identifier
                    return "application/json".withAMQPBytes { type in
                        properties.content_type = type
                        return amqp_basic_publish(
                            state, Self.channel, exchange, queue, isMandatory ? 1 : 0, 0,
                            &properties, body)
                    }
                }
            }
        }
        try Self.check(status)
    }

    /// Takes one message; nil from an empty queue.
    func get(_ queue: String) throws(BrokerError) -> BrokerDelivery? {
        let reply = queue.withAMQPBytes { amqp_basic_get(state, Self.channel, $0, 0) }
        try Self.check(reply, .unroutable)
        guard reply.reply.id == amqp_method_number_t(AMQP_BASIC_GET_OK_METHOD) else { return nil }
        let method = reply.reply.as(amqp_basic_get_ok_t.self)
        let (tag, isAgain) = (method.delivery_tag, method.redelivered != 0)
        return BrokerDelivery(
            tag: tag, queue: queue, isRedelivered: isAgain, message: try message())
    }

    /// Receives messages of a queue, at most `prefetch` without an acknowledgement.
    func consume(_ queue: String, prefetch: Int) throws(BrokerError) {
        amqp_basic_qos(state, Self.channel, 0, UInt16(clamping: prefetch), 0)
        try check(.unreachable)
        _ = queue.withAMQPBytes { queue in
            amqp_basic_consume(
                state, Self.channel, queue, queue, 0, 0, 0, amqp_empty_table)
        }
        try check(.unroutable)
    }

    /// Receives no more messages of a queue.
    func cancel(_ queue: String) throws(BrokerError) {
        _ = queue.withAMQPBytes { amqp_basic_cancel(state, Self.channel, $0) }
        try check(.unreachable)
    }

    func acknowledge(_ tag: UInt64) throws(BrokerError) {
        try Self.check(amqp_basic_ack(state, Self.channel, tag, 0))
    }

    /// Puts a message back into its queue.
    func giveBack(_ tag: UInt64) throws(BrokerError) {
        try Self.check(amqp_basic_nack(state, Self.channel, tag, 0, 1))
    }

    /// Waits until the connection or another descriptor can be read, at most for a time.
    func wait(for other: CInt, milliseconds: CInt) {
        guard amqp_frames_enqueued(state) == 0, amqp_data_in_buffer(state) == 0 else { return }
        var descriptors = [
            pollfd(fd: amqp_get_sockfd(state), events: Int16(POLLIN), revents: 0),
            pollfd(fd: other, events: Int16(POLLIN), revents: 0),
        ]
        _ = poll(&descriptors, 2, milliseconds)
    }

    /// The next event that has arrived; nil before any arrives.
    func nextEvent() throws(BrokerError) -> Event? {
        amqp_maybe_release_buffers(state)
        while true {
            var frame = amqp_frame_t()
            var none = timeval()
            let status = amqp_simple_wait_frame_noblock(state, &frame, &none)
            if status == AMQP_STATUS_TIMEOUT.rawValue { return nil }
            try Self.check(status)
            guard frame.frame_type == UInt8(AMQP_FRAME_METHOD) else { continue }
            if let event = try event(frame.payload.method) { return event }
        }
    }

    private func event(_ method: amqp_method_t) throws(BrokerError) -> Event? {
        switch method.id {
        case amqp_method_number_t(AMQP_BASIC_DELIVER_METHOD):
            return .delivery(try delivery(method.as(amqp_basic_deliver_t.self)))
        case amqp_method_number_t(AMQP_BASIC_ACK_METHOD):
            let ack = method.as(amqp_basic_ack_t.self)
            return .confirmed(ack.delivery_tag, isMultiple: ack.multiple != 0)
        case amqp_method_number_t(AMQP_BASIC_NACK_METHOD):
            let nack = method.as(amqp_basic_nack_t.self)
            return .rejected(nack.delivery_tag, isMultiple: nack.multiple != 0)
        case amqp_method_number_t(AMQP_BASIC_RETURN_METHOD):
            try dropReturned()
            return .returned
        case amqp_method_number_t(AMQP_CONNECTION_BLOCKED_METHOD):
            return .blocked(String(method.as(amqp_connection_blocked_t.self).reason))
        case amqp_method_number_t(AMQP_CONNECTION_UNBLOCKED_METHOD):
            return .unblocked
        case amqp_method_number_t(AMQP_CHANNEL_CLOSE_METHOD):
            let close = method.as(amqp_channel_close_t.self)
            throw BrokerError(
                Self.code(of: close, else: .unreachable),
                "the broker closed the channel: \(String(close.reply_text))")
        case amqp_method_number_t(AMQP_CONNECTION_CLOSE_METHOD):
            let text = String(method.as(amqp_connection_close_t.self).reply_text)
            throw BrokerError(.unreachable, "the broker closed the connection: \(text)")
        case amqp_method_number_t(AMQP_BASIC_CANCEL_METHOD):
            throw BrokerError(.unreachable, "the broker ended the delivery of messages")
        default:
            return nil
        }
    }

    private func delivery(_ method: amqp_basic_deliver_t) throws(BrokerError) -> BrokerDelivery {
        let (tag, isAgain) = (method.delivery_tag, method.redelivered != 0)
        let queue = String(method.consumer_tag)
        return BrokerDelivery(
            tag: tag, queue: queue, isRedelivered: isAgain, message: try message())
    }

    /// Reads and drops a message of this connection that came back.
    private func dropReturned() throws(BrokerError) {
        var message = amqp_message_t()
        try Self.check(amqp_read_message(state, Self.channel, &message, 0), .unreachable)
        amqp_destroy_message(&message)
    }

    /// A lacking permission closes the channel (AMQP 0-9-1, reply code 403, `access-refused`).
    private static func code(
        of close: amqp_channel_close_t, else code: BrokerError.Code
    ) -> BrokerError.Code {
        CInt(close.reply_code) == CInt(AMQP_ACCESS_REFUSED) ? .forbidden : code
    }

    func check(_ code: BrokerError.Code) throws(BrokerError) {
        try Self.check(amqp_get_rpc_reply(state), code)
    }

    static func check(
        _ status: CInt, _ node: BrokerSettings.Node? = nil
    ) throws(BrokerError) {
        guard status < 0 else { return }
        let text = String(cString: amqp_error_string2(status))
        throw BrokerError(.unreachable, (node.map { "\($0.place): " } ?? "") + text)
    }

    /// `code` is for a refusal by the broker.
    private static func check(
        _ reply: amqp_rpc_reply_t, _ code: BrokerError.Code
    ) throws(BrokerError) {
        switch reply.reply_type {
        case AMQP_RESPONSE_NORMAL: return
        case AMQP_RESPONSE_SERVER_EXCEPTION:
            let text: String
            var code = code
            switch reply.reply.id {
            case amqp_method_number_t(AMQP_CHANNEL_CLOSE_METHOD):
                let close = reply.reply.as(amqp_channel_close_t.self)
                text = String(close.reply_text)
                code = Self.code(of: close, else: code)
            case amqp_method_number_t(AMQP_CONNECTION_CLOSE_METHOD):
                text = String(reply.reply.as(amqp_connection_close_t.self).reply_text)
            default: text = "an unknown answer"
            }
            throw BrokerError(code, "the broker refuses the request: \(text)")
        default:
            throw BrokerError(
                .unreachable, String(cString: amqp_error_string2(reply.library_error)))
        }
    }
}
