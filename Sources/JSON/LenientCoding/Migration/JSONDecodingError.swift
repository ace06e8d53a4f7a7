/// The reason why a model could not be created from a `JSONValue`, and the path of the invalid value.
///
///     do {
///         let users = try json.decode("users", as: [[String: Int]].self)
///     } catch let error as JSONDecodingError {
///         print(error)  // users[2].id: expected an integer, found a string
///     }
public struct JSONDecodingError: Error, Equatable, Sendable {
    /// A step from a value to one that it contains.
    public enum Step: Equatable, Sendable {
        /// The member of an object.
        case key(String)
        /// The element of an array.
        case index(Int)
    }

    /// The path from the decoded value to the invalid one; empty if they are the same.
    public var path: [Step]
    /// The defect, such as `expected an integer, found a string`.
    public let reason: String

    /// Creates an error for the value at `path`.
    ///
    ///     guard json["end"] != json["start"] else { throw JSONDecodingError("is equal to start", at: [.key("end")]) }
    public init(_ reason: String, at path: [Step] = []) {
        self.reason = reason
        self.path = path
    }
}

extension JSONDecodingError: CustomStringConvertible {
    /// The path and the reason: `users[2].id: missing`.
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
