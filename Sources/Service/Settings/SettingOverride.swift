/// A setting of the command line, which has precedence over the file.
public struct SettingOverride: Sendable {
    /// A step of a path: the member of an object, or an element of a list.
    enum Step {
        case member(String)
        case element(Int)
    }

    /// The option that gave the setting, such as `--set`.
    public let option: String
    /// The path as faults write it, such as `upstreams[0].baseURL`.
    package let path: String
    /// The value: JSON, or else a text.
    let text: String
    let steps: [Step]

    /// The setting at `path`; nil if `path` has another form than `server.tls` and `upstreams[0].baseURL`.
    public init?(_ option: String, _ path: String, _ text: String) {
        guard path.wholeMatch(of: /[^.\[\]]+(?:\[\d{1,4}\])*(?:\.[^.\[\]]+(?:\[\d{1,4}\])*)*/) != nil else {
            return nil
        }
        (self.option, self.path, self.text) = (option, path, text)
        steps = path.matches(of: /\[(\d+)\]|[^.\[\]]+/).map { match in
            match.1.flatMap { Int($0) }.map(Step.element) ?? .member(String(match.0))
        }
    }

    /// Whether the setting at `path` is this one, or a part of it.
    func covers(_ path: String) -> Bool { path.isSetting(self.path) }
}

extension String {
    /// Whether the path names the setting at `other`, or a part of it.
    func isSetting(_ other: String) -> Bool {
        guard hasPrefix(other) else { return false }
        let rest = dropFirst(other.count)
        return rest.isEmpty || rest.first == "." || rest.first == "["
    }
}
