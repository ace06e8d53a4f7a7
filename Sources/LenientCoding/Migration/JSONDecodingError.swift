/// Why a model could not be made of a `JSONValue`, and where.
///
/// Its description reads `users[2].id: expected an integer, found a string`.
///
///     do {
///         let users = try json.decode("users", as: [[String: Int]].self)
///     } catch let error as JSONDecodingError {
///         print(error)  // users[2].id: expected an integer, found a string
///     }
public struct JSONDecodingError: Error, Equatable, Sendable {
    /// A step from a value into one that it holds.
    ///
    ///     let path: [JSONDecodingError.Step] = [.key("users"), .index(2), .key("id")]
    public enum Step: Equatable, Sendable {
        /// Into the member of an object.
        case key(String)
        /// Into the element of an array.
        case index(Int)
    }

    /// The way from the value that was decoded to the one at fault; empty when it is that value itself.
    ///
    ///     JSONDecodingError("missing", at: [.key("users"), .index(2)]).path  // [.key("users"), .index(2)]
    public var path: [Step]
    /// What is wrong there: `expected an integer, found a string`.
    ///
    ///     JSONDecodingError("missing", at: [.key("id")]).reason  // "missing"
    public let reason: String

    /// An error at `path`.
    ///
    ///     guard json["end"] != json["start"] else { throw JSONDecodingError("no time at all", at: [.key("end")]) }
    public init(_ reason: String, at path: [Step] = []) {
        self.reason = reason
        self.path = path
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The place and the reason.
    public var description: String { path.isEmpty ? reason : "\(Self.text(of: path)): \(reason)" }

    private static func text(of path: [Step]) -> String {
        path.reduce(into: "") { text, step in
            switch step {
            case .key(let key): text += (text.isEmpty ? "" : ".") + key.prefix(64)
            case .index(let index): text += "[\(index)]"
            }
        }
    }
}
