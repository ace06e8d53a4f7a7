/// Writes parsed JSON again, keys in camelCase and nulls left out, without building values.
///
/// Numbers keep their text, members their order, strings their escapes. An escape of a lone surrogate becomes
/// `\ufffd`, and a number that is none (see `JSONLeniency.notANumber`) `null`, so that what is written is always
/// JSON. Memory is bounded but for what the document's depth and its largest object ask for.
///
/// Of members with one key the last counts, at the place of the first, as in ECMAScript. Two keys that would become
/// one are never merged: a key that is in camelCase already keeps its name, then the first takes the common name,
/// and the others keep their own. Both are reported.
///
///     var transform = JSONTransform()
///     var parser = JSONParser()
///     let bytes = try parser.withDocument(document) { root in transform.bytes(of: root) }
///
/// A transform remembers keys from one document to the next. It is used by one thread at a time.
public struct JSONTransform: ~Copyable {
    /// What becomes of keys.
    ///
    ///     let transform = JSONTransform(keys: .keep)
    public enum Keys: String, Sendable, CaseIterable {
        /// They are written in camelCase, see `CamelCase`.
        case camel
        /// They stay as they are.
        case keep
    }

    /// What becomes of members whose value is `null`; elements always stay, for their place has a meaning.
    ///
    ///     let transform = JSONTransform(nulls: .keep)
    public enum Nulls: String, Sendable, CaseIterable {
        /// They are left out.
        case drop
        /// They stay.
        case keep
    }

    /// Something that the document's reader should know.
    ///
    ///     for event in transform.events { print(event.kind, event.path, event.count) }  // duplicate items[].id 2
    public struct Event: Sendable, Equatable {
        /// What happened.
        ///
        ///     let collisions = transform.events.filter { $0.kind == .collision }
        public enum Kind: String, Sendable {
            /// A key kept its own name because another had the name that it would have got.
            case collision
            /// A key stood more than once in an object; the last value counts.
            case duplicate
        }

        /// What happened.
        ///
        ///     transform.events.first?.kind  // .duplicate
        public let kind: Kind
        /// Where, as in `items[].+1`: names as they are written, any element as `[]`,
        /// and `…` for what lies deeper than some hundred bytes can say.
        ///
        ///     transform.events.first?.path  // "items[].id"
        public let path: String
        /// How often.
        ///
        ///     transform.events.first?.count  // 2
        public internal(set) var count: Int
    }

    /// The events of the last document by kind and path, in the order in which they came.
    ///
    ///     transform.events.map(\.path)  // ["items[].id"]
    public internal(set) var events: [Event] = []
    /// How many events came that have no place in `events`.
    ///
    ///     if transform.unlistedEvents > 0 { print("and \(transform.unlistedEvents) more") }
    public internal(set) var unlistedEvents = 0
    /// The greatest length of `events`.
    ///
    ///     transform.events.count <= JSONTransform.maximumEvents  // true
    public static let maximumEvents = 100

    let keys: Keys
    let dropsNulls: Bool
    let exempt: ExemptPaths
    var cache = KeyCache()
    /// The containers around the one at hand.
    var levels: [TransformLevel] = []
    var slots = SlotStack()
    /// The plans of those open objects that need one, outermost first.
    var plans: [ObjectPlan] = []
    var eventIndices: [String: Int] = [:]
    /// The paths of the outermost open containers, as far as an event has asked for them, by depth.
    var paths: [DocumentPath] = []

    /// A transform.
    ///
    /// `exempt` names maps whose keys are data and stay as they are, such as `flags.sourceTimes` or `items[].labels`;
    /// a step is a key as it stands in the document or as it is written, and an empty path means the root. Values
    /// below such a map go on as usual.
    ///
    ///     let transform = JSONTransform(nulls: .keep, exempt: ["flags.sourceTimes", "items[].labels"])
    public init(keys: Keys = .camel, nulls: Nulls = .drop, exempt: [String] = []) {
        self.keys = keys
        dropsNulls = nulls == .drop
        self.exempt = ExemptPaths(exempt)
    }

    /// What `root` becomes.
    ///
    ///     transform.bytes(of: root)  // {"imageUrl":"a.png"} of {"image_url":"a.png"}
    public mutating func bytes(of root: JSONNode) -> [UInt8] {
        JSONWriter.bytes(expecting: root.text.count + 64) { write(root, to: &$0) }
    }
}
