import JSONText

extension TwitterV1 {
    /// The error that a document is: `{"errors":[{"code","message"}]}`, `{"errors":"text"}`, `{"error","request"}` or `{"error"}`.
    ///
    /// Nil for a document that has anything to show beside.
    static func refusal(_ node: JSONNode) -> TweetDialect.Refusal? {
        guard node.kind == .object, node["id"] == nil, node["id_str"] == nil, node["statuses"] == nil else {
            return nil
        }
        if let message = (node["errors"] ?? node["error"])?.string {
            return TweetDialect.Refusal(message: message, code: nil, status: nil)
        }
        let listed = node["errors"]?.elements.first { $0.kind == .object }
        guard let error = listed ?? node["error"], error.kind == .object else { return nil }
        let code = (error["code"]?.int64 ?? error["code"]?.string.flatMap { Int64($0) }).map(Int.init)
        return TweetDialect.Refusal(
            message: error["message"]?.string ?? "", code: code, status: code.flatMap { statuses[$0] })
    }

    /// What the codes mean in HTTP, by Twitter's documentation of them.
    static let statuses = [
        32: 401, 34: 404, 50: 404, 63: 403, 64: 403, 88: 429, 89: 401, 130: 503, 131: 502, 135: 401, 144: 404, 179: 403,
        185: 403, 215: 400, 326: 403,
    ]
}
