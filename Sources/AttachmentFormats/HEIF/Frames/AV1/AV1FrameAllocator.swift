import CDav1d
import Foundation

/// Allocates the planes of dav1d's pictures.
///
/// dav1d calls back through C, which cannot throw; errors are kept in `fault`.
final class AV1FrameAllocator {
    private let frame: CodedFrame
    private let scratch: ScratchSpace
    /// Error of a callback.
    private(set) var fault: DecodingFault?

    init(for frame: CodedFrame, scratch: ScratchSpace) {
        self.frame = frame
        self.scratch = scratch
    }

    /// Callbacks for dav1d.
    ///
    /// The allocator must outlive the decoder.
    var functions: Dav1dPicAllocator {
        Dav1dPicAllocator(
            cookie: Unmanaged.passUnretained(self).toOpaque(),
            alloc_picture_callback: { picture, allocator in
                guard let picture, let allocator else { return -EINVAL }
                return Unmanaged<AV1FrameAllocator>.fromOpaque(allocator).takeUnretainedValue()
                    .allocate(&picture.pointee) ? 0 : -ENOMEM
            },
            release_picture_callback: { picture, _ in
                guard let memory = picture?.pointee.allocator_data else { return }
                // The reference that `allocate` gave the picture.
                Unmanaged<FrameMemory>.fromOpaque(memory).release()
            })
    }

    /// Allocates planes as dav1d requires: 64-byte alignment, and room for whole blocks of 128
    /// pixels.
    private func allocate(_ picture: inout Dav1dPicture) -> Bool {
        let parameters = picture.p
        guard let mismatch = mismatch(parameters) else {
            let size = parameters.bpc > 8 ? 2 : 1
            let shiftX = parameters.layout.isHalvedAcross ? 1 : 0
            let shiftY = parameters.layout.isHalvedDown ? 1 : 0
            let (width, height) = (Int(parameters.w + 127) & ~127, Int(parameters.h + 127) & ~127)
            let stride = Self.stride(width * size)
            let chromaStride = Self.stride((width >> shiftX) * size)
            let luma = stride * height
            let chroma =
                parameters.layout == DAV1D_PIXEL_LAYOUT_I400
                ? 0 : chromaStride * (height >> shiftY)
            let padding = Int(DAV1D_PICTURE_ALIGNMENT)
            do {
                let memory = try FrameMemory(
                    bytes: luma + 2 * chroma + padding,
                    heapLimit: FrameMemory.planesOnHeap, scratch: scratch)
                let start = memory.bytes.baseAddress
                picture.data.0 = start
                picture.data.1 = chroma == 0 ? nil : start.map { $0 + luma }
                picture.data.2 = chroma == 0 ? nil : start.map { $0 + luma + chroma }
                picture.stride = (stride, chroma == 0 ? 0 : chromaStride)
                picture.allocator_data = Unmanaged.passRetained(memory).toOpaque()
                return true
            } catch {
                fault = error
                return false
            }
        }
        fault = mismatch
        return false
    }

    /// Strides of whole kilobytes would map rows to few cache sets.
    private static func stride(_ bytes: Int) -> Int {
        bytes & 1023 == 0 ? bytes + Int(DAV1D_PICTURE_ALIGNMENT) : bytes
    }

    private func mismatch(_ parameters: Dav1dPictureParameters) -> DecodingFault? {
        guard Int(parameters.w) == frame.width, Int(parameters.h) == frame.height else {
            return DecodingFault(
                .corrupt, at: frame.offset,
                "it has \(parameters.w) × \(parameters.h) pixels, not"
                    + " \(frame.width) × \(frame.height)")
        }
        return nil
    }

    /// Returns a decoded picture as a frame that owns its memory and may outlive the decoder.
    func frame(of picture: Dav1dPicture) throws(DecodingFault) -> DecodedFrame {
        guard let owner = picture.allocator_data, let luma = picture.data.0,
            let header = picture.seq_hdr?.pointee
        else {
            throw DecodingFault(.corrupt, at: frame.offset, "its frame has no memory")
        }
        if let mismatch = mismatch(picture.p) { throw mismatch }
        let stride = picture.stride.1
        var chroma: (blue: FramePlanes.Plane, red: FramePlanes.Plane)?
        if let blue = picture.data.1, let red = picture.data.2 {
            chroma = (
                FramePlanes.Plane(start: blue, stride: stride),
                FramePlanes.Plane(start: red, stride: stride)
            )
        }
        let planes = FramePlanes(
            memory: Unmanaged<FrameMemory>.fromOpaque(owner).takeUnretainedValue(),
            width: Int(picture.p.w), height: Int(picture.p.h), bitDepth: Int(picture.p.bpc),
            chromaShiftX: picture.p.layout.isHalvedAcross ? 1 : 0,
            chromaShiftY: picture.p.layout.isHalvedDown ? 1 : 0,
            luma: FramePlanes.Plane(start: luma, stride: picture.stride.0), chroma: chroma)
        let colours =
            frame.colours
            ?? CodedColours(
                primaries: Int(header.pri.rawValue), transfer: Int(header.trc.rawValue),
                matrix: Int(header.mtrx.rawValue), isFullRange: header.color_range != 0)
        return DecodedFrame(planes: planes, colours: colours, hasProfile: frame.hasProfile)
    }
}

extension Dav1dPixelLayout {
    /// True if chroma has half of luma's columns.
    fileprivate var isHalvedAcross: Bool {
        self == DAV1D_PIXEL_LAYOUT_I420 || self == DAV1D_PIXEL_LAYOUT_I422
    }

    /// True if chroma has half of luma's rows.
    fileprivate var isHalvedDown: Bool { self == DAV1D_PIXEL_LAYOUT_I420 }
}
