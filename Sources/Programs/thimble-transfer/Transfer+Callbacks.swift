import CCurl
import Foundation
import TransferProtocol

extension Transfer {
    /// The context of all callbacks is this transfer, which outlives its handle in libcurl's list:
    /// `TransferLoop` removes the handle first.
    func setCallbacks() throws(TransferFailure) {
        let context = Unmanaged.passUnretained(self).toOpaque()
        for option in [
            CURLOPT_WRITEDATA, CURLOPT_HEADERDATA, CURLOPT_READDATA, CURLOPT_SEEKDATA,
            CURLOPT_OPENSOCKETDATA,
        ] {
            try check(thimble_curl_set_context(handle, option, context))
        }
        try check(
            thimble_curl_set_bytes_function(handle, CURLOPT_HEADERFUNCTION) {
                bytes, size, count, context in
                let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
                return Transfer.of(context)?.receiveHeader(line) == true ? line.count : 0
            })
        try check(
            thimble_curl_set_bytes_function(handle, CURLOPT_WRITEFUNCTION) {
                bytes, size, count, context in
                let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
                // Returning fewer bytes than given ends the transfer.
                return Transfer.of(context)?.receiveBody(part) == true ? part.count : 0
            })
        try check(
            thimble_curl_set_bytes_function(handle, CURLOPT_READFUNCTION) {
                bytes, size, count, context in
                let buffer = UnsafeMutableRawBufferPointer(start: bytes, count: size * count)
                return Transfer.of(context)?.supply(buffer) ?? Int(CURL_READFUNC_ABORT)
            })
        try check(
            thimble_curl_set_seek_function(handle) { context, offset, origin in
                let isDone =
                    origin == SEEK_SET && Transfer.of(context)?.seek(to: Int(offset)) == true
                return isDone ? CURL_SEEKFUNC_OK : CURL_SEEKFUNC_FAIL
            })
        try check(
            thimble_curl_set_socket_function(handle) { context, purpose, address in
                guard purpose == CURLSOCKTYPE_IPCXN, let transfer = Transfer.of(context) else {
                    return CURL_SOCKET_BAD
                }
                return transfer.openSocket(to: address)
            })
    }

    private static func of(_ context: UnsafeMutableRawPointer?) -> Transfer? {
        context.map { Unmanaged<Transfer>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Opens the socket of a connection if its address is allowed.
    ///
    /// libcurl calls this for every connection, with the address that it then connects to: no other
    /// look-up lies between the check and the use.
    private func openSocket(to address: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
        var bytes = [UInt8](repeating: 0, count: 16)
        var port: UInt16 = 0
        let count = thimble_curl_address(address, &bytes, &port)
        guard let target = NetworkAddress(bytes: Array(bytes[..<count])) else {
            return CURL_SOCKET_BAD
        }
        // The proxy's address was named by the operator.
        if let addresses, request.proxy == nil {
            switch addresses.verdict(on: target, port: port, trustsHost: request.trustsHost) {
            case .allowed: break
            case .refusedPort:
                refusal = TransferFailure(.refusedPort, "the port \(port) is not allowed")
                return CURL_SOCKET_BAD
            case .refusedAddress(let kind):
                refusal = TransferFailure(
                    .refusedAddress, "an address of the host is not allowed: \(kind.rawValue)")
                return CURL_SOCKET_BAD
            }
        }
        let kind = address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue)
        return socket(address.pointee.family, kind, address.pointee.protocol)
    }
}
