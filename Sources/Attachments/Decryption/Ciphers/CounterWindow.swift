/// Plaintext of AES in counter mode, from any byte: the counter of a block is the first plus its number.
struct CounterWindow: PlaintextWindow {
    let cipher: BlockCipher
    /// The counter of the first block.
    let counter: [UInt8]
    let length: Int

    func read(
        into buffer: UnsafeMutableRawBufferPointer, at offset: Int, of ciphertext: Ciphertext
    ) throws(DecryptionError) -> Int {
        let wanted = part(of: buffer, at: offset)
        guard !wanted.isEmpty else { return 0 }
        let bytes = UnsafeMutableRawBufferPointer(
            rebasing: wanted[..<(try ciphertext.read(into: wanted, at: offset))])
        try apply(to: bytes, at: offset)
        return bytes.count
    }

    /// Decrypts or encrypts bytes in place, which is the same in counter mode.
    func apply(
        to bytes: UnsafeMutableRawBufferPointer, at offset: Int
    ) throws(DecryptionError) {
        let inner = offset % BlockCipher.blockBytes
        let head = inner == 0 ? 0 : min(bytes.count, BlockCipher.blockBytes - inner)
        if head > 0 { try decryptHead(bytes, count: head, at: offset, inner: inner) }
        try cipher.decrypt(
            UnsafeMutableRawBufferPointer(rebasing: bytes[head...]), from: vector(at: offset + head)
        )
    }

    /// Decrypts up to the end of a block that begins before the buffer.
    private func decryptHead(
        _ bytes: UnsafeMutableRawBufferPointer, count: Int, at offset: Int, inner: Int
    ) throws(DecryptionError) {
        var block = [UInt8](repeating: 0, count: BlockCipher.blockBytes)
        for index in 0..<count { block[inner + index] = bytes[index] }
        let result = block.withUnsafeMutableBytes { block in
            Result { () throws(DecryptionError) in
                try cipher.decrypt(block, from: vector(at: offset - inner))
            }
        }
        try result.get()
        for index in 0..<count { bytes[index] = block[inner + index] }
    }

    /// The counter of the block at an offset: a sum of 128 bits, big-endian (SP 800-38A, B.1).
    private func vector(at offset: Int) -> [UInt8] {
        var vector = counter
        var carry = UInt64(offset / BlockCipher.blockBytes)
        for index in vector.indices.reversed() where carry > 0 {
            carry += UInt64(vector[index])
            vector[index] = UInt8(truncatingIfNeeded: carry)
            carry >>= 8
        }
        return vector
    }
}
