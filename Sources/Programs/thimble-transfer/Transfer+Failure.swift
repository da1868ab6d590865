import CCurl
import TransferProtocol

extension Transfer {
    /// The failure for libcurl's result.
    func failure(_ code: CURLcode) -> TransferFailure {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            TransferFailure(.unreachable, "the host's name has no address")
        case CURLE_COULDNT_CONNECT:
            refusal ?? TransferFailure(.unreachable, "the host accepts no connection")
        case CURLE_OPERATION_TIMEDOUT: timeout
        case CURLE_FILESIZE_EXCEEDED:
            TransferFailure(.tooLarge, "the body is longer than the limit")
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_GOT_NOTHING:
            TransferFailure(.incomplete, "the connection ended early")
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_SHUTDOWN_FAILED:
            TransferFailure(.tls, Self.text(code))
        case CURLE_OUT_OF_MEMORY where isReceivingHead, Self.tooLarge:
            TransferFailure(.malformed, "the response's headers are too long")
        case CURLE_OUT_OF_MEMORY: TransferFailure(.storage, "out of memory")
        case CURLE_READ_ERROR: TransferFailure(.storage, "the body cannot be read")
        case CURLE_URL_MALFORMAT, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL,
            CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            TransferFailure(.malformed, Self.text(code))
        default: TransferFailure(.unreachable, Self.text(code))
        }
    }

    /// `CURLE_TOO_LARGE` of libcurl 8.6 and later.
    private static let tooLarge = CURLcode(rawValue: 100)

    /// True between the request and the end of the response's headers.
    ///
    /// Earlier versions of libcurl report a line of more than 100 kB as a shortage of memory.
    private var isReceivingHead: Bool {
        thimble_curl_length(handle, CURLINFO_PRETRANSFER_TIME_T) > 0 && !head.isComplete
    }

    /// libcurl has one result for all limits on time.
    private var timeout: TransferFailure {
        // libcurl's clock is not adjusted by NTP, which may slow this one by 0.05 % (adjtimex(2)).
        if begun.duration(to: .now) * 1.01 >= .milliseconds(request.limits.milliseconds) {
            return TransferFailure(.late, "the transfer did not end in time")
        }
        let connected = thimble_curl_length(handle, CURLINFO_PRETRANSFER_TIME_T)
        guard connected > 0 else {
            return refusal ?? TransferFailure(.unreachable, "no connection was made in time")
        }
        return TransferFailure(
            .tooSlow,
            "the server sent less than \(request.limits.minimumSpeed) bytes a second for "
                + "\(request.limits.stallSeconds) s")
    }

    /// A constant text of libcurl, without any part of the URL.
    private static func text(_ code: CURLcode) -> String {
        "\(String(cString: curl_easy_strerror(code)))"
    }
}
