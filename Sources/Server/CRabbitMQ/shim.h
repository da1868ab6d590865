// Calls of librabbitmq that are variadic, which Swift cannot make, or take tables, which are pointers
// to pointers.
#pragma once

// Version 0.12 moved the headers.
#if __has_include(<rabbitmq-c/amqp.h>)
#include <rabbitmq-c/amqp.h>
#include <rabbitmq-c/framing.h>
#include <rabbitmq-c/ssl_socket.h>
#include <rabbitmq-c/tcp_socket.h>
#else
#include <amqp.h>
#include <amqp_framing.h>
#include <amqp_ssl_socket.h>
#include <amqp_tcp_socket.h>
#endif

static inline amqp_table_entry_t thimble_amqp_text(const char *key, const char *value) {
    amqp_table_entry_t entry = {.key = amqp_cstring_bytes(key)};
    entry.value.kind = AMQP_FIELD_KIND_UTF8;
    entry.value.value.bytes = amqp_cstring_bytes(value);
    return entry;
}

static inline amqp_table_entry_t thimble_amqp_number(const char *key, int64_t value) {
    amqp_table_entry_t entry = {.key = amqp_cstring_bytes(key)};
    entry.value.kind = AMQP_FIELD_KIND_I64;
    entry.value.value.i64 = value;
    return entry;
}

static inline amqp_table_entry_t thimble_amqp_yes(const char *key) {
    amqp_table_entry_t entry = {.key = amqp_cstring_bytes(key)};
    entry.value.kind = AMQP_FIELD_KIND_BOOLEAN;
    entry.value.value.boolean = 1;
    return entry;
}

/// Logs in, and asks the broker to tell when it blocks publishers and when it cancels a consumer.
static inline amqp_rpc_reply_t thimble_amqp_login(
    amqp_connection_state_t connection, const char *host, int heartbeat, const char *user,
    const char *password) {
    amqp_table_entry_t capabilities[] = {
        thimble_amqp_yes("connection.blocked"), thimble_amqp_yes("consumer_cancel_notify"),
        thimble_amqp_yes("publisher_confirms"), thimble_amqp_yes("basic.nack")};
    amqp_table_entry_t properties[] = {
        thimble_amqp_text("product", "thimble-server"),
        {.key = amqp_cstring_bytes("capabilities"),
         .value = {.kind = AMQP_FIELD_KIND_TABLE,
                   .value.table = {.num_entries = 4, .entries = capabilities}}}};
    amqp_table_t table = {.num_entries = 2, .entries = properties};
    return amqp_login_with_properties(
        connection, host, 0, AMQP_DEFAULT_FRAME_SIZE, heartbeat, &table, AMQP_SASL_METHOD_PLAIN, user,
        password);
}

/// Declares a durable quorum queue. `dead_letters` is the queue for messages whose consumers were
/// lost `delivery_limit` times, or null.
static inline void thimble_amqp_declare_quorum(
    amqp_connection_state_t connection, amqp_channel_t channel, const char *queue,
    const char *dead_letters, int64_t delivery_limit, int64_t maximum_length) {
    amqp_table_entry_t entries[7];
    int count = 0;
    entries[count++] = thimble_amqp_text("x-queue-type", "quorum");
    if (dead_letters) {
        entries[count++] = thimble_amqp_text("x-dead-letter-exchange", "");
        entries[count++] = thimble_amqp_text("x-dead-letter-routing-key", dead_letters);
        entries[count++] = thimble_amqp_text("x-dead-letter-strategy", "at-least-once");
        entries[count++] = thimble_amqp_number("x-delivery-limit", delivery_limit);
    }
    if (maximum_length > 0) {
        entries[count++] = thimble_amqp_text("x-overflow", "reject-publish");
        entries[count++] = thimble_amqp_number("x-max-length", maximum_length);
    }
    amqp_table_t table = {.num_entries = count, .entries = entries};
    amqp_queue_declare(connection, channel, amqp_cstring_bytes(queue), 0, 1, 0, 0, table);
}
