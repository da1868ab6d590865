import AttachmentContainer
import AttachmentModel
import AttachmentPipeline
import AttachmentPlanning

/// Steps of the system on a decoded picture.
struct SystemSteps<Picture: SystemPicture>: StillsSteps {
    let context: RenderingContext

    func reduced(_ picture: Picture, to size: PixelSize) throws(AttachmentError) -> Picture {
        try context.calling { () throws(SystemFault) in try picture.scaled(to: size) }
    }

    func cut(
        _ picture: Picture, to cutout: Cutout
    ) throws(AttachmentError) -> (picture: Picture, part: UnitRectangle?) {
        let part = PixelPart(left: cutout.left, top: cutout.top, size: cutout.size)
        let cut = try context.calling { () throws(SystemFault) in
            try picture.drawn(part, to: cutout.size)
        }
        return (cut, cutout.part)
    }

    func miniature(of picture: Picture) throws(AttachmentError) -> Miniature {
        try context.calling { () throws(SystemFault) in try Miniature(of: picture) }
    }

    func encode(
        _ picture: Picture, by order: RenditionOrder
    ) throws(AttachmentError) -> EncodedRendition {
        try context.fit(picture, by: order)
    }
}

extension Miniature {
    fileprivate init(of picture: some SystemPicture) throws(SystemFault) {
        let size = Miniature.size(of: picture.size)
        self.init(size: size, rgba: try picture.scaled(to: size).rgba())
    }
}
