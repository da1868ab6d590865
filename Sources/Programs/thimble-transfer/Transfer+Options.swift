import CCurl
import Foundation
import TransferProtocol

extension Transfer {
    /// Sets the options; all others keep libcurl's defaults, without cookies, netrc, HSTS and
    /// redirections.
    func configure(authorities: String) throws(TransferFailure) {
        try setPolicy(authorities)
        try setRequest()
        try setLimits()
        try setCallbacks()
    }

    private func setPolicy(_ authorities: String) throws(TransferFailure) {
        // The supervisor has checked the scheme of each URL.
        try set(CURLOPT_PROTOCOLS_STR, "http,https")
        try set(CURLOPT_DISALLOW_USERNAME_IN_URL, 1)
        try set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        try set(CURLOPT_NOSIGNAL, 1)
        // Otherwise the end of a transfer would wait for a resolver that does not answer.
        try set(CURLOPT_QUICK_EXIT, 1)
        try set(CURLOPT_SSL_VERIFYPEER, 1)
        try set(CURLOPT_SSL_VERIFYHOST, 2)
        try set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        // Transfers share the authorities of a file, but not of a folder: 1 MB each.
        try set(CURLOPT_CAPATH, nil)
        try set(CURLOPT_CAINFO, authorities.isEmpty ? nil : authorities)
        // A proxy's own answer is not the server's.
        try set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        try set(CURLOPT_NOPROXY, request.proxy == nil ? "*" : "")
        if let proxy = request.proxy { try set(CURLOPT_PROXY, proxy) }
    }

    private func setRequest() throws(TransferFailure) {
        try set(CURLOPT_URL, request.url)
        switch request.method {
        case .get: try set(CURLOPT_HTTPGET, 1)
        case .head: try set(CURLOPT_NOBODY, 1)
        case .put: try set(CURLOPT_UPLOAD, 1)
        case .delete: try set(CURLOPT_CUSTOMREQUEST, "DELETE")
        }
        if request.method == .put {
            let code = thimble_curl_set_length(
                handle, CURLOPT_INFILESIZE_LARGE, Int64(request.bodyLength ?? 0))
            try check(code)
        }
        if let signature = request.signature {
            try set(CURLOPT_AWS_SIGV4, signature.scope)
            try set(CURLOPT_USERNAME, signature.key)
            try set(CURLOPT_PASSWORD, signature.secret)
        }
        // Without waiting for a server to accept the body. libcurl 7.88 would sign the absent header, so
        // that signatures of servers differ; those requests wait for a millisecond.
        var headers = request.headers.map { "\($0.name): \($0.value)" }
        if request.signature == nil { headers.append("Expect:") }
        try set(CURLOPT_EXPECT_100_TIMEOUT_MS, 1)
        try setList(CURLOPT_HTTPHEADER, headers)
        if !request.resolutions.isEmpty { try setList(CURLOPT_RESOLVE, request.resolutions) }
    }

    private func setLimits() throws(TransferFailure) {
        let limits = request.limits
        try set(CURLOPT_TIMEOUT_MS, max(1, limits.milliseconds))
        try set(CURLOPT_CONNECTTIMEOUT_MS, max(1, limits.connectMilliseconds))
        try set(CURLOPT_LOW_SPEED_LIMIT, limits.minimumSpeed)
        try set(CURLOPT_LOW_SPEED_TIME, limits.stallSeconds)
    }

    private func setList(_ option: CURLoption, _ lines: [String]) throws(TransferFailure) {
        var list: UnsafeMutablePointer<curl_slist>?
        for line in lines {
            guard let longer = curl_slist_append(list, line) else {
                curl_slist_free_all(list)
                throw TransferFailure(.storage, "out of memory")
            }
            list = longer
        }
        if let list { lists.append(list) }
        try check(thimble_curl_set_list(handle, option, list))
    }

    private func set(_ option: CURLoption, _ value: Int) throws(TransferFailure) {
        try check(thimble_curl_set_number(handle, option, value))
    }

    private func set(_ option: CURLoption, _ value: String?) throws(TransferFailure) {
        try check(thimble_curl_set_text(handle, option, value))
    }

    func check(_ code: CURLcode) throws(TransferFailure) {
        guard code == CURLE_OK else {
            throw TransferFailure(
                .malformed,
                "libcurl refuses a setting: \(String(cString: curl_easy_strerror(code)))")
        }
    }
}
