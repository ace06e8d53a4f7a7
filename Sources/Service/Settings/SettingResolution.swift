import Glibc
import JSONText
import Records

/// Puts the variables of the environment, and then the settings of the command line, into the document of a file.
///
/// A value can be meant as a text or as JSON: `8080` is a port, and also a name. A variable is a text, and a value of the
/// command line JSON, until the setting turns out to take the other one.
struct SettingResolution {
    let overrides: [SettingOverride]
    /// The paths of the values that are read in the other way.
    private var switched: Set<String> = []
    /// The other way to read a value, by its path.
    private var others: [String: JSONValue] = [:]
    /// The names of the variables in each text, by its path.
    private(set) var variables: [String: [String]] = [:]
    private(set) var faults = ConfigurationFaults()

    init(_ overrides: [SettingOverride]) { self.overrides = overrides }

    /// Returns the document with all values in their places.
    mutating func resolve(_ document: JSONValue) -> JSONValue {
        (others, variables, faults) = ([:], [:], ConfigurationFaults())
        var document = expanded(document, DocumentPath())
        for override in overrides {
            let json = JSONValue(parsing: override.text)
            let text = JSONValue.string(override.text)
            let isSwitched = switched.contains(override.path)
            if json != nil { others[override.path] = text }
            document = placed(isSwitched ? text : json ?? text, override, override.steps[...], in: document)
        }
        return document
    }

    /// Reads the values at these paths in their other way; returns false if none has one that has not been tried.
    mutating func switchValues(at paths: [String]) -> Bool {
        let new = Set(paths.filter { others[$0] != nil }).subtracting(switched)
        switched.formUnion(new)
        return !new.isEmpty
    }

    private mutating func expanded(_ value: JSONValue, _ path: DocumentPath) -> JSONValue {
        switch value {
        case .string(let text) where text.contains("${"):
            if UpstreamConfiguration.isSecret(path.text) {
                faults.note(path.text, "must not have ${: \(UpstreamConfiguration.placeOfSecrets)")
                return value
            }
            return expanded(text, at: path.text)
        case .array(let elements):
            return .array(
                elements.enumerated().map { index, element in
                    var path = path
                    path.append(index: index)
                    return expanded(element, path)
                })
        case .object(let members):
            return .object(
                members.map { member in
                    var path = path
                    path.append(member: member.key)
                    return JSONValue.Member(member.key, expanded(member.value, path))
                })
        default: return value
        }
    }

    /// Replaces `${NAME}` and `${NAME:-default}`; `$${` stands for `${`.
    private mutating func expanded(_ text: String, at path: String) -> JSONValue {
        let form = /(\$?)\$\{(?:([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\})?/
        var names: [String] = []
        let result = text.replacing(form) { match -> String in
            if !match.1.isEmpty { return String(match.0.dropFirst()) }
            guard let name = match.2 else {
                faults.note(path, "has a ${ without a name: write ${NAME} or ${NAME:-default}, or $${ for ${ itself")
                return ""
            }
            names.append(String(name))
            let value = getenv(String(name)).map { String(cString: $0) }
            if let standard = match.3, value?.isEmpty != false { return String(standard) }
            if value == nil {
                faults.note(
                    path,
                    "needs the environment variable \(name), which is not set; set it, or write ${\(name):-default}")
            }
            return value ?? ""
        }
        guard !names.isEmpty else { return .string(result) }
        variables[path] = names
        let isWhole = text.wholeMatch(of: form) != nil
        if isWhole, let json = JSONValue(parsing: result), json.elements == nil, json.members == nil {
            others[path] = json
            if switched.contains(path) { return json }
        }
        return .string(result)
    }

    /// Returns `document` with a value at a place, where objects and the next element of a list are made if necessary.
    private mutating func placed(
        _ value: JSONValue, _ override: SettingOverride, _ steps: ArraySlice<SettingOverride.Step>,
        in document: JSONValue?
    ) -> JSONValue {
        switch (steps.first, document ?? .null) {
        case (nil, _): return value
        case (.member(let name)?, var object) where object.isNull || object.members != nil:
            object[name] = placed(value, override, steps.dropFirst(), in: object[name])
            return object
        case (.element(let index)?, let list) where list.isNull || list.elements != nil:
            var elements = list.elements ?? []
            guard index <= elements.count else {
                faults.note(override.path, "must be at most the next element of its list, [\(elements.count)]")
                return list
            }
            let element = placed(value, override, steps.dropFirst(), in: list[index])
            if index < elements.count { elements[index] = element } else { elements.append(element) }
            return .array(elements)
        case (_, let other):
            faults.note(override.path, "must not be a part of \(other.kindName)")
            return other
        }
    }
}

extension JSONValue {
    /// The value of a text that is JSON; nil for other texts.
    fileprivate init?(parsing text: String) {
        var parser = JSONParser(options: JSONOptions(maximumDepth: 64))
        guard let value = try? parser.withDocument(Array(text.utf8), { JSONValue($0) }) else { return nil }
        self = value
    }
}

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
