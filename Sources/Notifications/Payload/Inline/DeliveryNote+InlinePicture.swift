extension DeliveryNote {
    /// The picture inside the payload; nil without one, or if it is not of the format.
    ///
    /// It may be a stranger's, so only a decoder can tell if it shows anything.
    public var picture: InlinePicture? {
        inlinePicture.flatMap { try? InlinePicture(text: $0) }
    }
}
