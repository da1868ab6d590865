internal import AttachmentContainer
internal import AttachmentFormats
internal import AttachmentPlanning

/// Change of a reduced frame.
struct ReducedChange {
    /// Smallest rectangle with all changed pixels.
    var rect = PixelRect.empty
    /// Number of changed pixels.
    var pixels = 0
    /// True if a visible pixel became blank.
    var becameBlank = false
}

/// Reduces the changed parts of a canvas to the size of a plane, and converts them to sRGB.
///
/// The result equals the reduction of the whole canvas (`CResampler`). A GIF has no partial alpha, so
/// pixels are opaque, or blank where less than half is covered.
final class CanvasReducer {
    private let columns: ReducedAxis
    private let rows: ReducedAxis
    private let plane: PixelPlane
    /// Target columns reduced at once.
    private let stripWidth: Int
    /// Resampler of the last part, for the next frame with the same one.
    private var last: (columns: Range<Int>, rows: Range<Int>, resampler: Resampler)?
    private var change = ReducedChange()
    private let conversion: CanvasConversion?
    /// Converted pixels of a row; empty without a conversion.
    private var converted: [UInt32]

    /// The plane must not be larger than the canvas.
    init(
        from canvas: (width: Int, height: Int), to plane: PixelPlane,
        _ conversion: CanvasConversion? = nil
    ) {
        self.conversion = conversion
        converted = Array(repeating: 0, count: conversion == nil ? 0 : plane.width)
        columns = ReducedAxis(source: canvas.width, target: plane.width)
        rows = ReducedAxis(source: canvas.height, target: plane.height)
        stripWidth = AnimationDemand.stripWidth(step: max(columns.step, rows.step))
        self.plane = plane
    }

    /// Updates the plane after a part of the canvas changed.
    func reduce(
        _ canvas: AnimationCanvas, changed: ChangedRegion
    ) throws(DecodingFault) -> ReducedChange {
        change = ReducedChange()
        // Separate rectangles keep the work proportional to the drawn area.
        for rect in changed.rects {
            if columns.source == columns.target, rows.source == rows.target {
                for y in rect.top..<rect.bottom {
                    put(try canvas.row(y) + rect.left, rect.left..<rect.right, at: y)
                }
            } else {
                try reduce(canvas, rect)
            }
        }
        plane.didChange(change.rect)
        return change
    }

    private func reduce(
        _ canvas: AnimationCanvas, _ rect: PixelRect
    ) throws(DecodingFault) {
        let across = columns.targets(of: rect.left..<rect.right)
        let down = rows.targets(of: rect.top..<rect.bottom)
        for left in stride(from: across.lowerBound, to: across.upperBound, by: stripWidth) {
            let strip = left..<min(left + stripWidth, across.upperBound)
            let resampler = try resampler(strip, down)
            let start = columns.sources(of: strip).lowerBound
            var y = down.lowerBound
            for row in rows.sources(of: down) {
                resampler.push(try canvas.row(row) + start) { finished in
                    // Samples are bytes in RGBA order, and the row has whole pixels.
                    UnsafeRawBufferPointer(finished).withMemoryRebound(to: UInt32.self) {
                        if let first = $0.baseAddress { put(first, strip, at: y) }
                    }
                    y += 1
                }
            }
        }
    }

    private func resampler(
        _ across: Range<Int>, _ down: Range<Int>
    ) throws(DecodingFault) -> Resampler {
        if let last, last.columns == across, last.rows == down {
            last.resampler.restart()
            return last.resampler
        }
        // Free the previous one first, so that there are never two.
        last = nil
        let size = PixelSize(
            width: columns.sources(of: across).count, height: rows.sources(of: down).count)
        let layout = PlaneLayout(colours: .rgba, planes: [.init(size)])
        let made = try Resampler(
            layout.planes[0], of: layout, to: columns.part(across), rows.part(down))
        last = (across, down, made)
        return made
    }

    /// Converts reduced pixels and writes them.
    private func put(_ row: UnsafePointer<UInt32>, _ columns: Range<Int>, at y: Int) {
        guard let conversion else { return write(row, columns, at: y) }
        converted.withUnsafeMutableBufferPointer { converted in
            let pixels = UnsafeMutableBufferPointer(rebasing: converted[..<columns.count])
            // A row has at least one pixel.
            guard let start = pixels.baseAddress else { return }
            start.update(from: row, count: columns.count)
            conversion.convert(UnsafeMutableRawBufferPointer(pixels))
            write(start, columns, at: y)
        }
    }

    /// Writes pixels, and adds them to the change where they differ.
    private func write(_ row: UnsafePointer<UInt32>, _ columns: Range<Int>, at y: Int) {
        let target = plane.row(y) + columns.lowerBound
        var (first, last, count, becameBlank) = (-1, -1, 0, false)
        for x in 0..<columns.count {
            let found = UInt32(littleEndian: row[x])
            let pixel = found >> 24 < 128 ? 0 : found | 0xFF00_0000
            guard pixel != target[x] else { continue }
            if pixel == 0 { becameBlank = true }
            target[x] = pixel
            if first < 0 { first = x }
            last = x
            count &+= 1
        }
        guard first >= 0 else { return }
        change.pixels += count
        change.becameBlank = change.becameBlank || becameBlank
        change.rect = change.rect.union(
            PixelRect(
                left: columns.lowerBound + first, top: y, right: columns.lowerBound + last + 1,
                bottom: y + 1))
    }
}
