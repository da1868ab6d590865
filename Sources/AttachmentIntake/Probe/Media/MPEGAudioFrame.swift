/// The header of a frame of MPEG audio, layer III (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3; the
/// lowest sampling rates are Fraunhofer's "MPEG 2.5").
struct MPEGAudioFrame: Hashable {
    /// The length of a header, in bytes.
    static let headerBytes = 4

    /// Bits a second.
    let bitRate: Int
    /// Samples a second.
    let sampleRate: Int
    let isMono: Bool
    /// Whether a checksum follows the header.
    let hasChecksum: Bool
    /// Whether it is MPEG-1, whose frames hold twice as much.
    private let isFirst: Bool
    private let isPadded: Bool

    /// Takes a header apart; nil when it is none, or of another layer, or without a bit rate.
    ///
    /// - Parameter word: Four bytes, the first in the most significant place.
    init?(_ word: UInt32) {
        let version = Int(word >> 19 & 3)
        let (rate, samples) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
        guard word >> 21 == 0x7FF, version != 1, word >> 17 & 3 == 1, rate != 0, rate != 15,
            samples != 3, word & 3 != 2
        else { return nil }
        isFirst = version == 3
        bitRate = (isFirst ? Self.firstBitRates : Self.secondBitRates)[rate - 1] * 1000
        sampleRate = [44_100, 48_000, 32_000][samples] >> (isFirst ? 0 : version == 2 ? 1 : 2)
        isMono = word >> 6 & 3 == 3
        hasChecksum = word >> 16 & 1 == 0
        isPadded = word >> 9 & 1 == 1
    }

    /// How many samples the frame decodes to, of each channel.
    var samples: Int { isFirst ? 1152 : 576 }

    /// The length of the frame, header included, in bytes.
    var length: Int { samples / 8 * bitRate / sampleRate + (isPadded ? 1 : 0) }

    /// Where the main data begins, behind header, checksum and side information (2.4.1.7).
    var mainData: Int {
        Self.headerBytes + (hasChecksum ? 2 : 0) + (isMono ? isFirst ? 17 : 9 : isFirst ? 32 : 17)
    }

    /// Whether another frame may belong to the same stream: only bit rate, padding and the way in
    /// which the channels are joined change from frame to frame.
    func isAkin(to other: MPEGAudioFrame) -> Bool {
        isFirst == other.isFirst && sampleRate == other.sampleRate && isMono == other.isMono
    }

    /// In thousands of bits a second (table in 2.4.2.3).
    private static let firstBitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    /// The same for the lower sampling rates (ISO/IEC 13818-3, 2.4.2.3).
    private static let secondBitRates = [
        8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160,
    ]
}
