/// Declarations that examples use without defining them.
enum Vocabulary {
    static let source = """
        import Foundation
        import JSONText
        import LenientCoding
        import Records

        func given<Value: ~Copyable>() -> Value { fatalError() }

        nonisolated(unsafe) var bytes: [UInt8] = given()
        nonisolated(unsafe) var document: [UInt8] = given()
        nonisolated(unsafe) var data: Data = given()
        nonisolated(unsafe) var file: URL = given()

        nonisolated(unsafe) var decoder: LenientDecoder = given()
        nonisolated(unsafe) var encoder: CompactEncoder = given()
        nonisolated(unsafe) var container: KeyedDecodingContainer<RawCodingKey> = given()
        nonisolated(unsafe) var list: any UnkeyedDecodingContainer = given()
        nonisolated(unsafe) var recorder: DriftRecorder = given()
        nonisolated(unsafe) var drift: DriftReport = given()
        nonisolated(unsafe) var json: JSONValue = given()

        extension Units.Dimension {
            static let speed = Units.Dimension("speed", number: 0, units: [.init()], places: 2)
        }
        nonisolated(unsafe) var toMetric: Conversion = given()

        nonisolated(unsafe) var parser: JSONParser = given()
        nonisolated(unsafe) var options: JSONOptions = given()
        nonisolated(unsafe) var node: JSONNode = given()
        nonisolated(unsafe) var root: JSONNode = given()
        nonisolated(unsafe) var syntaxError: JSONSyntaxError = given()
        nonisolated(unsafe) var transform: JSONTransform = given()
        nonisolated(unsafe) var writer: JSONWriter = given()

        nonisolated(unsafe) var reader: RecordReader = given()
        nonisolated(unsafe) var rules: FieldRules = given()
        nonisolated(unsafe) var style: WritingStyle = given()
        nonisolated(unsafe) var components: SchemaComponents = given()
        nonisolated(unsafe) var contractError: ContractError = given()
        nonisolated(unsafe) var unknownFields: FieldSelection.UnknownFields = given()

        nonisolated(unsafe) var alert: Alert = given()
        nonisolated(unsafe) var forecast: Forecast = given()
        nonisolated(unsafe) var tweet: Tweet = given()
        nonisolated(unsafe) var int: Int = given()
        nonisolated(unsafe) var temperature: Double = given()
        nonisolated(unsafe) var regions: [String] = given()
        nonisolated(unsafe) var details: [String: Any] = given()

        enum Severity: String, CaseIterable { case advisory, watch, warning }

        struct Alert: Record {
            var title = "", regions: [String]?, severity: OpenEnum<Severity>?, expires: UnixSeconds?
            static let schema = Schema<Alert> {
                Field(\\.title)
                Field(\\.regions)
                Field(\\.severity)
                Field(\\.expires)
            }
        }

        struct Forecast: Record {
            var latitude = 0.0, title: String?, regions: [String]?, severity: OpenEnum<Severity>?
            var windSpeed: Double?, humidity: Double?, expires: UnixSeconds?, alerts: [Alert]?
            static let schema = Schema<Forecast> {
                Field(\\.latitude)
                Field(\\.alerts)
            }
        }

        struct Tweet: Codable { var text: String }
        struct Hashtag: Codable { var text: String }
        struct Coordinates: Codable { var latitude: Double, longitude: Double }

        struct User: Codable {
            enum Level: Int, Codable, JSONDecodable { case trainee, expert }
            var id: Int, name: String?, level: Level
        }

        struct TweetID: Codable, LosslessStringConvertible {
            var description: String
            init?(_ description: String) { self.description = description }
        }

        struct Colour {
            var name: String
            init?(_ name: String) { self.name = name }
        }

        enum Icon: String, Codable { case clear, unknown }
        enum UnknownIcon: DefaultValueProvider { static var defaultValue: Icon { .unknown } }
        enum DefaultLanguage: DefaultValueProvider { static var defaultValue: String { "und" } }
        enum TwitterDate: FixedDateStrategy { static let format: FixedDateFormat = "EEE MMM dd HH:mm:ss Z yyyy" }

        """
}
