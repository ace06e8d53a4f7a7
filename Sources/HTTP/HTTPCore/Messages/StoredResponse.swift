/// A response that is serialized once and sent many times, without Date, Age and Connection.
public struct StoredResponse: Sendable {
    // Shared, because a request copies the response several times.
    private final class Content: Sendable {
        let status: Status
        /// The status line and the fields, with the name of Date and without its value and the empty line.
        let head: [UInt8]
        let body: [UInt8]

        init(_ response: Response) {
            (status, body) = (response.status, response.body)
            var head: [UInt8] = []
            response.serializeFields(into: &head, date: [])
            head.append(text: "Date: ")
            self.head = head
        }
    }

    private let content: Content
    /// The id of the request, which is sent as the field X-Request-Id in 32 hexadecimal digits; nil for none.
    public var identifier: UInt128?
    /// Other fields of one exchange, with their line ends.
    private var fields: [UInt8] = []

    /// The status.
    public var status: Status { content.status }
    /// The content.
    public var body: [UInt8] { content.body }

    /// Serializes `response`.
    public init(_ response: Response) { content = Content(response) }

    /// Adds fields that are for one exchange alone.
    public mutating func append(fields: [(name: String, value: String)]) {
        Response.serialize(fields, into: &self.fields)
    }

    /// Appends the response to `output`, as `Response.serialize` does; `age` is in seconds.
    public func serialize(
        into output: inout [UInt8], date: [UInt8], age: Int?, version: Version, keepsAlive: Bool, omittingBody: Bool
    ) {
        output += content.head
        output += date
        output.append(text: "\r\n")
        if let identifier {
            output.append(text: "X-Request-Id: ")
            output.append(hexadecimal: identifier)
            output.append(text: "\r\n")
        }
        output += fields
        if let age {
            output.append(text: "Age: ")
            output.append(decimal: max(age, 0))
            output.append(text: "\r\n")
        }
        Response.endHead(&output, version, keepsAlive: keepsAlive)
        if !status.forbidsContent, !omittingBody { output += content.body }
    }
}
