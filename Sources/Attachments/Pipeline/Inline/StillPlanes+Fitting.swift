import AttachmentContainer
internal import CSimilarity

extension StillPlanes {
    /// True if a still of so many bytes is sharp enough for fitted planes to be worth their detail.
    ///
    /// Fitted luma has edges that colours had. With 53 photographs of 180 pixels, the mean score gains 1.4
    /// at 2,400 bytes and 0.4 at 1,200; at 600, one photograph no longer fits at all.
    static func affordsFitting(_ bytes: Int, of size: PixelSize) -> Bool {
        Double(bytes) >= 0.08 * Double(size.pixelCount)
    }

    /// Moves luma and halved chroma so that decoders show colours nearer to the planes of 4:4:4.
    ///
    /// It takes 1.5 MB at 256 pixels a side, of the memory that the encoder gets next. If memory is short,
    /// the planes stay as they are.
    mutating func fitHalvedChroma(to full: [[UInt8]]) {
        var (luma, blue, red) = (samples[0], samples[1], samples[2])
        let isFitted = luma.withUnsafeMutableBufferPointer { luma in
            blue.withUnsafeMutableBufferPointer { blue in
                red.withUnsafeMutableBufferPointer { red in
                    var picture = thimble_halved_picture(
                        planes: (luma.baseAddress, blue.baseAddress, red.baseAddress),
                        width: CInt(size.width), height: CInt(size.height))
                    return Self.fit(&picture, to: full)
                }
            }
        }
        guard isFitted else { return }
        self = StillPlanes(size, halvesChroma: true, samples: [luma, blue, red])
    }

    private static func fit(_ picture: inout thimble_halved_picture, to full: [[UInt8]]) -> Bool {
        full[0].withUnsafeBufferPointer { luma in
            full[1].withUnsafeBufferPointer { blue in
                full[2].withUnsafeBufferPointer { red in
                    let planes = [luma.baseAddress, blue.baseAddress, red.baseAddress]
                    return thimble_fit_halved_chroma(&picture, planes, rounds)
                }
            }
        }
    }

    /// Eight are worth 0.2 points more in the mean than four, for 4 ms.
    private static let rounds: CInt = 4
}
