import HTTPCore

/// A method as logs and metrics name it: one of RFC 9110 or RFC 5789, or `_OTHER`, because a client can send any token.
enum KnownMethod: Int, CaseIterable {
    case get, head, post, put, delete, connect, options, trace, patch, other

    init(_ method: Method) {
        switch method {
        case .get: self = .get
        case .head: self = .head
        case .post: self = .post
        case .put: self = .put
        case .delete: self = .delete
        case .connect: self = .connect
        case .options: self = .options
        case .trace: self = .trace
        case .patch: self = .patch
        default: self = .other
        }
    }

    var name: String {
        switch self {
        case .get: "GET"
        case .head: "HEAD"
        case .post: "POST"
        case .put: "PUT"
        case .delete: "DELETE"
        case .connect: "CONNECT"
        case .options: "OPTIONS"
        case .trace: "TRACE"
        case .patch: "PATCH"
        case .other: "_OTHER"
        }
    }
}
