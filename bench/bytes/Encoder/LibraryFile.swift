import ArgumentParser
import CLibJPEG
import Foundation

/// A JPEG of planes by libjpeg with its defaults: tables of ITU-T T.81, K.1, and fixed Huffman codes.
struct LibraryFile {
    let byteCount: Int

    init(_ planes: Planes, quality: Int) throws {
        // libjpeg keeps pointers to both between calls.
        let info = UnsafeMutablePointer<jpeg_compress_struct>.allocate(capacity: 1)
        let errors = UnsafeMutablePointer<jpeg_error_mgr>.allocate(capacity: 1)
        info.initialize(to: jpeg_compress_struct())
        errors.initialize(to: jpeg_error_mgr())
        info.pointee.err = jpeg_std_error(errors)
        jpeg_CreateCompress(info, JPEG_LIB_VERSION, MemoryLayout<jpeg_compress_struct>.size)
        var (bytes, count): (UnsafeMutablePointer<UInt8>?, UInt) = (nil, 0)
        jpeg_mem_dest(info, &bytes, &count)
        info.pointee.image_width = JDIMENSION(planes.width)
        info.pointee.image_height = JDIMENSION(planes.height)
        info.pointee.input_components = 3
        info.pointee.in_color_space = JCS_YCbCr
        jpeg_set_defaults(info)
        jpeg_set_quality(info, CInt(quality), 1)
        info.pointee.raw_data_in = 1
        jpeg_start_compress(info, 1)
        planes.forEachUnit { unit in
            func rows(_ plane: Int) -> [JSAMPROW?] {
                (0..<Planes.rowsOfUnit[plane]).map { unit[plane] + $0 * planes.strides[plane] }
            }
            var (luma, blue, red) = (rows(0), rows(1), rows(2))
            luma.withUnsafeMutableBufferPointer { luma in
                blue.withUnsafeMutableBufferPointer { blue in
                    red.withUnsafeMutableBufferPointer { red in
                        var arrays: [JSAMPARRAY?] = [
                            luma.baseAddress, blue.baseAddress, red.baseAddress,
                        ]
                        _ = jpeg_write_raw_data(info, &arrays, 16)
                    }
                }
            }
        }
        jpeg_finish_compress(info)
        jpeg_destroy_compress(info)
        byteCount = Int(count)
        free(bytes)
        errors.deallocate()
        info.deallocate()
    }
}
