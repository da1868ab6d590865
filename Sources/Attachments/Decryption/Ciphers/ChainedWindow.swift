/// Plaintext of AES in cipher block chaining mode, from any byte: a block needs only the one before.
///
/// The file begins with the initial vector, so the block before the first one is in it too.
struct ChainedWindow: PlaintextWindow {
    /// Bytes that are decrypted at a time, beside the caller's buffer.
    private static let pieceBytes = 16 << 10

    let cipher: BlockCipher
    var length: Int

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of ciphertext: Ciphertext
    ) throws(DecryptionError) -> Int {
        let wanted = part(of: buffer, at: offset)
        var done = 0
        while done < wanted.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: wanted[done...])
            done += try readPiece(into: rest, at: offset + done, of: ciphertext)
        }
        return done
    }

    /// Decrypts the blocks around the beginning of a buffer, and copies what is wanted of them.
    private func readPiece(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of ciphertext: Ciphertext
    ) throws(DecryptionError) -> Int {
        let block = BlockCipher.blockBytes
        let inner = offset % block
        let count = min(buffer.count, Self.pieceBytes - inner)
        let blocks = (inner + count + block - 1) / block * block
        var bytes = [UInt8](repeating: 0, count: block + blocks)
        let result = bytes.withUnsafeMutableBytes { bytes in
            Result { () throws(DecryptionError) in
                // The initial vector precedes the blocks, so the block before is at the same offset.
                guard try ciphertext.read(into: bytes, at: offset - inner) == bytes.count else {
                    throw DecryptionError(.storage, reason: "the stored file ends early")
                }
                let vector = Array(bytes[..<block])
                try cipher.decrypt(
                    UnsafeMutableRawBufferPointer(rebasing: bytes[block...]), from: vector)
                buffer.copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: bytes[(block + inner)...].prefix(count)))
            }
        }
        try result.get()
        return count
    }

    /// Number of bytes of the padding, while `length` is the length of all blocks.
    func padding(of ciphertext: Ciphertext) throws(DecryptionError) -> Int {
        var last = [UInt8](repeating: 0, count: BlockCipher.blockBytes)
        let result = last.withUnsafeMutableBytes { bytes in
            Result { () throws(DecryptionError) in
                try read(into: bytes, at: length - bytes.count, of: ciphertext)
            }
        }
        _ = try result.get()
        let count = Int(last[BlockCipher.blockBytes - 1])
        guard 1...BlockCipher.blockBytes ~= count, last.suffix(count).allSatisfy({ $0 == count })
        else { throw DecryptionError(.malformed, reason: "the padding is invalid") }
        return count
    }
}
