#if SYSTEM_CODECS
    import CDe265

    extension CodedFrame {
        /// Throws for a warning of libde265 that loses pixels, unless that is tolerated.
        func checkWarnings(
            of context: UnsafeMutableRawPointer, isTolerant: Bool
        ) throws(DecodingFault) {
            while true {
                let warning = de265_get_warning(context)
                switch warning {
                case DE265_OK: return
                // Harmless: about threads, and about data that pixels do not depend on.
                case DE265_WARNING_NO_WPP_CANNOT_USE_MULTITHREADING,
                    DE265_WARNING_NUMBER_OF_THREADS_LIMITED_TO_MAXIMUM,
                    DE265_WARNING_SPS_MISSING_CANNOT_DECODE_SEI:
                    continue
                case DE265_WARNING_CANNOT_APPLY_SAO_OUT_OF_MEMORY: throw fault(of: warning)
                default: guard isTolerant else { throw fault(of: warning) }
                }
            }
        }

        func fault(of error: de265_error) -> DecodingFault {
            let text =
                de265_get_error_text(error).map { String(cString: $0) } ?? "\(error.rawValue)"
            return fault(.corrupt, "its HEVC bitstream is damaged: \(text)")
        }
    }
#endif
