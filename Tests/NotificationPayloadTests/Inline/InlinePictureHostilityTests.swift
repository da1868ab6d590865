import NotificationPayload
import Randomness
import SampleMedia
import Testing

@Suite("Hostile inline pictures", .timeLimit(.minutes(5)))
struct InlinePictureHostilityTests {
    @Test(
        "Every kind of fault has its code",
        arguments: [
            ("", InlinePictureError.Code.truncated), ("AQ", .truncated), ("AQYAAA", .truncated),
            ("AQ==", .notBase64URL), ("AQ+/", .notBase64URL), ("A", .notBase64URL),
            // Bits beyond the last byte.
            ("AR", .notBase64URL),
            ("AgYAAA", .version), ("AYYAAAAA", .coding),
        ])
    func faults(text: String, code: InlinePictureError.Code) {
        let error = #expect(throws: InlinePictureError.self) { try InlinePicture(text: text) }
        #expect(error?.code == code, "\(text)")
    }

    @Test("A frame that names a size of its own is refused")
    func ownSize() {
        // disable_cdf_update 0, allow_screen_content_tools 0, render_and_frame_size_different 1.
        let error = #expect(throws: InlinePictureError.self) {
            try InlinePicture(bytes: [1, 6, 94, 63, 0b0010_0000, 0, 0])
        }
        #expect(error?.code == .size)
        // The same bit behind that of integer motion vectors.
        let other = #expect(throws: InlinePictureError.self) {
            try InlinePicture(bytes: [1, 6, 94, 63, 0b0101_0000, 0, 0])
        }
        #expect(other?.code == .size)
    }

    @Test("A picture longer than any payload is refused, as bytes and as text")
    func length() throws {
        let most = InlinePicture.maximumBytes
        let longest = [1, 6, 94, 63] + [UInt8](repeating: 0, count: most - 4)
        #expect(try InlinePicture(bytes: longest).bytes.count == most)
        let error = #expect(throws: InlinePictureError.self) {
            try InlinePicture(bytes: longest + [0])
        }
        #expect(error?.code == .tooLong)
        let text = #expect(throws: InlinePictureError.self) {
            try InlinePicture(text: String(repeating: "A", count: most * 2))
        }
        #expect(text?.code == .tooLong)
    }

    @Test("Encoders' output outside of the format is refused")
    func encoders() throws {
        let unit = try GoldenPicture(name: "chroma-420").picture.temporalUnit
        // The sequence header begins after the delimiter and its own two bytes.
        for (index, change, code) in [
            (4, UInt8(0x10), InlinePictureError.Code.notAV1), (4, 0x40, .notAV1),
            (5, 0x02, .size), (3, 0x20, .notAV1),
        ] {
            var changed = unit
            changed[index] ^= change
            let error = #expect(throws: InlinePictureError.self) {
                try InlinePicture(temporalUnit: changed)
            }
            #expect(error?.code == code, "byte \(index): \(String(describing: error))")
        }
        let doubled = #expect(throws: InlinePictureError.self) {
            try InlinePicture(temporalUnit: unit + unit)
        }
        #expect(doubled?.code == .notAV1)
    }

    /// Bytes that are changed, inserted and cut at random; what is accepted makes a file again.
    @Test("Mutants are refused with a typed error, or make a file of their own size")
    func mutants() throws {
        let seeds = try GoldenPicture.all.map { try $0.picture }
        var random = SplitMix64(seed: 20_261_129)
        var accepted = 0
        let count = Thoroughness.isFull ? 200_000 : 5000
        for number in 0..<count {
            let seed = seeds[number % seeds.count]
            // Half of the changes are in the first bytes.
            var bytes = number % 2 == 0 ? seed.bytes : seed.temporalUnit
            for _ in 0...random.below(4) {
                let range = random.oneIn(2) ? min(24, bytes.count) : bytes.count
                guard range > 0 else { break }
                let place = random.below(range)
                switch random.below(4) {
                case 0: bytes[place] ^= 1 << UInt8(random.below(8))
                case 1: bytes[place] = UInt8(random.below(256))
                case 2: bytes.insert(UInt8(random.below(256)), at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + random.below(8)))
                }
            }
            do throws(InlinePictureError) {
                let picture =
                    try number % 2 == 0
                    ? InlinePicture(bytes: bytes) : InlinePicture(temporalUnit: bytes)
                accepted += 1
                let again = try InlinePicture(text: picture.text)
                #expect(again == picture)
                #expect(1...256 ~= picture.width && 1...256 ~= picture.height)
                #expect(picture.file.count < picture.frame.count + 300)
            } catch {
                #expect(!error.reason.isEmpty)
            }
        }
        // Most changes are in the frame, whose pixels only a decoder can judge.
        #expect(accepted > count / 5)
    }
}
