/// The loop that takes most of the time: two or three symbols for each pixel.
extension EntropyCodedImage {
    /// The rest of a back-reference beyond the row stays pending.
    mutating func decodePixels<Pixel: RingPixel>(
        of kind: Pixel.Type, upTo end: Int
    ) throws(DecodingFault) {
        let pixels = PixelWindow<Pixel>(ring, fill: fill)
        let cache = CacheWindow(cache)
        // Valid during this call: the pool belongs to this image and no longer grows.
        let tables = UnsafePointer(codes.pool.entries)
        let (width, total, rowStart) = (self.width, self.width * height, end - self.width)
        let row = rowStart / width
        var (position, cursor) = (self.position, source.cursor)
        defer {
            self.position = position
            source.cursor = cursor
        }
        if pending.count > 0 {
            let count = min(pending.count, end - position)
            pixels.copy(to: position, distance: pending.distance, count: count)
            cache.insert(pixels, from: position, count: count)
            position += count
            pending.count -= count
        }
        while position < end {
            let run = blocks?.run(x: position - rowStart, y: row) ?? (group: 0, end: width, row: 0)
            let runEnd = min(end, rowStart + run.end)
            let group = try codes.codes(of: run.group, row: run.row)
            let (green, greenMask) = (tables + group.green.start, group.green.mask)
            let (red, redMask) = (tables + group.red.start, group.red.mask)
            let (blue, blueMask) = (tables + group.blue.start, group.blue.mask)
            let (alpha, alphaMask) = (tables + group.alpha.start, group.alpha.mask)
            while position < runEnd {
                if _slowPath(cursor.needsMore) { cursor = try source.topUp(cursor) }
                cursor.refill()
                // At most 15 bits each (section 3.7.2.1), and 56 are loaded.
                let symbol = cursor.symbol(green, greenMask)
                if _fastPath(symbol < BackReference.firstLength) {
                    var pixel = UInt32(truncatingIfNeeded: symbol) &<< 8
                    if Pixel.keepsColour {
                        let redValue = cursor.symbol(red, redMask)
                        let blueValue = cursor.symbol(blue, blueMask)
                        pixel |= UInt32(truncatingIfNeeded: redValue &<< 16 | blueValue)
                    }
                    if Pixel.keepsAlpha {
                        cursor.refill()
                        let value = cursor.symbol(alpha, alphaMask)
                        pixel |= UInt32(truncatingIfNeeded: value) &<< 24
                    }
                    pixels[position] = pixel
                    cache.insert(pixel | fill)
                    position &+= 1
                } else if symbol < BackReference.firstCached {
                    let length = BackReference.number(symbol &- BackReference.firstLength, &cursor)
                    cursor.refill()
                    let prefix = cursor.symbol(tables + group.distance.start, group.distance.mask)
                    let distance = BackReference.distance(
                        BackReference.number(prefix, &cursor), width: width)
                    guard distance <= position, length <= total &- position else {
                        throw source.fault(
                            .corrupt, at: cursor, "a back-reference leaves the image")
                    }
                    let count = min(length, end &- position)
                    pixels.copy(to: position, distance: distance, count: count)
                    cache.insert(pixels, from: position, count: count)
                    position &+= count
                    pending = (distance, length &- count)
                } else {
                    // The alphabet ends at the last cache index.
                    let pixel = cache[symbol &- BackReference.firstCached]
                    guard pixel & ~Pixel.mask == fill else {
                        throw source.fault(
                            .unsupported, at: cursor,
                            "it uses an empty entry of the colour cache")
                    }
                    pixels[position] = pixel
                    cache.insert(pixel)
                    position &+= 1
                }
            }
        }
    }
}
