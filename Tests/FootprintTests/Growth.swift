import AttachmentContainer
import AttachmentModel
import CSystemCalls
import Testing

/// Growth of the footprint while a body is repeated, after a warm-up, without what the C library holds free.
///
/// Free memory goes back to the system as in our programs, at the same threshold: else the C library
/// raises it with the blocks that a test itself frees, for the heap of each thread.
func growth(
    _ repetitions: Int, warmUp: Int, _ body: () async throws -> Void
) async throws -> Int {
    thimble_return_freed_memory()
    for _ in 0..<warmUp { try await body() }
    let before = try footprint()
    for _ in 0..<repetitions { try await body() }
    return try footprint() - before
}

private func footprint() throws -> Int {
    thimble_trim_heap()
    return try #require(Footprint.current()).bytes
}
