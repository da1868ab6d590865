#if !SYSTEM_CODECS && !BinaryVips
    #error(
        "AttachmentVips needs the trait SystemCodecs (Linux, macOS) or BinaryVips (Apple's systems)"
    )
#endif
