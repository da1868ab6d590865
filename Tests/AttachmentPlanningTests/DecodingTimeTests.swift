import AttachmentContainer
@testable import AttachmentFormats
import AttachmentModel
import AttachmentPlanning
import Testing

@Suite("Decoding time estimates") struct DecodingTimeTests {
    private func seconds(
        _ header: AttachmentHeader, pixels: Int = 1_000_000, tiles: Double = 0
    ) -> Double {
        DecodingTime.estimate(of: header, pixels: pixels, tiles: tiles) / .seconds(1)
    }

    private func animationSeconds(
        _ header: AttachmentHeader, pixels: Int, passes: Int = 1,
        cap: ByteCount = MemoryCap.serviceExtension.footprint
    ) -> Double {
        DecodingTime.estimate(ofAnimation: header, pixels: pixels, passes: passes, cap: cap)
            / .seconds(1)
    }

    @Test("Estimates of every coding are positive and grow with pixels and bytes")
    func growth() {
        for var header in LadderTests.headers {
            header.fileBytes = ByteCount(100_000)
            let least = seconds(header)
            #expect(least > 0)
            #expect(seconds(header, pixels: 2_000_000) > least)
            header.fileBytes = ByteCount(200_000)
            #expect(seconds(header) > least)
        }
    }

    @Test("Bytes beyond the maximum per pixel do not count")
    func undecodedBytes() {
        for var header in LadderTests.headers {
            header.fileBytes = .megabytes(10)
            let most = seconds(header)
            header.fileBytes = .megabytes(200)
            #expect(seconds(header) == most)
        }
    }

    @Test("An embedded preview is estimated by its own size")
    func preview() throws {
        var checked = 0
        for header in LadderTests.headers {
            let steps = Planner(settings: ProcessingSettings()).ladder(header).steps
            guard let preview = steps.first(where: { $0.plan.rung == .preview }) else { continue }
            #expect(
                DecodingTime.estimate(of: preview.plan) < DecodingTime.estimate(of: steps[0].plan))
            checked += 1
        }
        #expect(checked > 0)
    }

    @Test("Estimates never overflow, whatever the number of pixels")
    func extremes() {
        for header in LadderTests.headers {
            #expect(seconds(header, pixels: .max, tiles: 1e300) > 1e6)
            #expect(animationSeconds(header, pixels: .max, passes: .max) > 1e6)
        }
    }

    @Test("A frame of an animation takes longer than a still, and longer with its canvas on disk")
    func animations() {
        for header in LadderTests.headers {
            let pixels = header.storedSize.pixelCount
            let onHeap = animationSeconds(header, pixels: pixels, cap: .mebibytes(1 << 20))
            #expect(onHeap > seconds(header, pixels: pixels))
            #expect(animationSeconds(header, pixels: pixels, cap: ByteCount(0)) > 2 * onHeap / 3)
            #expect(
                animationSeconds(header, pixels: pixels, cap: ByteCount(0))
                    >= animationSeconds(header, pixels: pixels))
        }
    }

    @Test("Each tile of a grid counts, in its alpha too", arguments: [false, true])
    func tiles(isAV1: Bool) {
        func seconds(tile side: Int, hasAlpha: Bool = false) -> Double {
            let coding = HEIFCoding(
                isAV1: isAV1, .grid(tile: PixelSize(width: side, height: side)), frames: [])
            let header = AttachmentHeader(
                coding, storedSize: PixelSize(width: 4096, height: 4096), colourModel: .rgb,
                hasAlpha: hasAlpha, fileBytes: ByteCount(130_000))
            let steps = Planner(settings: ProcessingSettings()).ladder(header).steps
            return DecodingTime.estimate(of: steps[0].plan) / .seconds(1)
        }
        let rate = (isAV1 ? 200_000 : 2_000_000) / 1e9
        // 4096 tiles and 64.
        #expect(abs(seconds(tile: 64) - seconds(tile: 512) - 4032 * rate) < 0.001)
        #expect(
            abs(seconds(tile: 64, hasAlpha: true) - seconds(tile: 64) - 4096 * rate) < 0.001)
    }

    @Test("Each layer of an overlay counts, even on a small canvas")
    func layers() {
        func seconds(layers: Int) -> Double {
            let layer = FrameHeader(
                isAV1: true, codedSize: PixelSize(width: 8000, height: 6000), pieces: 1,
                codedBytes: 1000)
            let coding = HEIFCoding(
                isAV1: true, .overlay, frames: Array(repeating: layer, count: layers))
            let header = AttachmentHeader(
                coding, storedSize: PixelSize(width: 64, height: 64), colourModel: .rgb,
                fileBytes: ByteCount(0))
            let steps = Planner(settings: ProcessingSettings()).ladder(header).steps
            return DecodingTime.estimate(of: steps[0].plan) / .seconds(1)
        }
        #expect(seconds(layers: 1) > 1)
        #expect(seconds(layers: 16) == 16 * seconds(layers: 1))
    }
}
