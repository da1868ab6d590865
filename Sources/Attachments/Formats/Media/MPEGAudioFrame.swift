/// Header of an MPEG audio layer III frame (ISO/IEC 11172-3, 2.4.1.3; ISO/IEC 13818-3; Fraunhofer's
/// "MPEG 2.5" for the lowest sampling rates).
struct MPEGAudioFrame: Hashable {
    static let headerBytes = 4

    let bitRate: Int
    let sampleRate: Int
    let isMono: Bool
    let hasChecksum: Bool
    private let isMPEG1: Bool
    private let isPadded: Bool

    init?(_ word: UInt32) {
        let version = Int(word >> 19 & 3)
        let (rate, samples) = (Int(word >> 12 & 15), Int(word >> 10 & 3))
        guard word >> 21 == 0x7FF, version != 1, word >> 17 & 3 == 1, rate != 0, rate != 15,
            samples != 3, word & 3 != 2
        else { return nil }
        isMPEG1 = version == 3
        bitRate = (isMPEG1 ? Self.mpeg1BitRates : Self.mpeg2BitRates)[rate - 1] * 1000
        sampleRate = [44_100, 48_000, 32_000][samples] >> (isMPEG1 ? 0 : version == 2 ? 1 : 2)
        isMono = word >> 6 & 3 == 3
        hasChecksum = word >> 16 & 1 == 0
        isPadded = word >> 9 & 1 == 1
    }

    var samples: Int { isMPEG1 ? 1152 : 576 }

    var length: Int { samples / 8 * bitRate / sampleRate + (isPadded ? 1 : 0) }

    /// Offset of the main data, after header, checksum and side information (2.4.1.7).
    var mainData: Int {
        Self.headerBytes + (hasChecksum ? 2 : 0) + (isMono ? isMPEG1 ? 17 : 9 : isMPEG1 ? 32 : 17)
    }

    /// Only bit rate, padding and joint stereo mode vary within a stream.
    func isSameStream(as other: MPEGAudioFrame) -> Bool {
        isMPEG1 == other.isMPEG1 && sampleRate == other.sampleRate && isMono == other.isMono
    }

    /// Thousands of bits per second (table in 2.4.2.3).
    private static let mpeg1BitRates = [
        32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320,
    ]
    /// Thousands of bits per second at the lower sampling rates (ISO/IEC 13818-3, 2.4.2.3).
    private static let mpeg2BitRates = [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}
