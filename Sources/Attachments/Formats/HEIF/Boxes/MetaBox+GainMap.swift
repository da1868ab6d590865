internal import AttachmentModel

extension MetaBox {
    /// Kind of the gain map of a picture, given as its item and the items that it derives from; nil
    /// without one.
    ///
    /// A `tmap` item has two sources, the picture and its gain map (AVIF 1.2, section 4.2.2);
    /// gain maps of other kinds are auxiliary pictures. Phones write both, and the standard's comes first.
    func gainMap(of picture: [ItemIdentifier]) -> GainMapKind? {
        var kinds: Set<GainMapKind> = []
        for reference in references {
            if reference.type == "dimg", types[reference.from] == "tmap", reference.to.count == 2,
                picture.contains(reference.to[0]), types[reference.to[1]] != nil
            {
                kinds.insert(.iso)
            }
            // An item with an invalid property is not a gain map.
            if reference.type == "auxl", reference.to.contains(where: picture.contains),
                let kind = (try? item(reference.from))?.gainMap
            {
                kinds.insert(kind)
            }
        }
        return GainMapKind.allCases.first(where: kinds.contains)
    }
}
