import FoundationEssentials
import JSONText

extension DecodingSession {
    /// The members of the object at `position`.
    @inline(__always)
    func keyedContainer<Key>(at position: UInt32, _ place: Place) throws -> KeyedDecodingContainer<Key> {
        guard isLive, node(position).kind == .object else { throw failure([String: Any].self, at: position, place) }
        return KeyedDecodingContainer(KeyedReader<Key>(self, node(position), place))
    }

    /// The elements of the array at `position`.
    @inline(__always)
    func unkeyedContainer(at position: UInt32, _ place: Place) throws -> any UnkeyedDecodingContainer {
        guard isLive, node(position).kind == .array else { throw failure([Any].self, at: position, place) }
        return UnkeyedReader(self, node(position), place)
    }

    /// The scalar that the value at `position`, which is of another kind, stands for.
    @inline(never)
    func converted<Value: Scalar>(at position: UInt32, _ place: Place) throws -> Value {
        guard isLive, let value = coerced(Value.self, at: position, place) else {
            throw failure(Value.self, at: position, place)
        }
        return value
    }

    /// The scalar that the value at `position`, which is of another kind, stands for; nil when there is none and that
    /// is forgiven.
    @inline(never)
    func convertedIfValid<Value: Scalar>(at position: UInt32, _ place: Place) throws -> Value? {
        guard state.pointee.skipsMistyped else { return try converted(at: position, place) as Value }
        if let value = coerced(Value.self, at: position, place) { return value }
        note(.dropped, Self.isRightKind(node(position), for: Value.self) ? .inexact : .mistyped, place)
        return nil
    }

    /// The scalar that the value at `position` can be converted to, if conversions are on.
    private func coerced<Value: Scalar>(_ type: Value.Type, at position: UInt32, _ place: Place) -> Value? {
        // A null or a number that does not fit is no conversion: there is a reason for every one.
        guard state.pointee.coerces, let scalar = JSONScalar(node(position)),
            let coercion = Value.coerced(from: scalar), let reason = coercion.reason
        else { return nil }
        note(.coerced, reason, place)
        return coercion.value
    }

    /// Decodes the value at `position`; nil when it does not decode and that is forgiven.
    func valueIfValid<Value: Decodable>(
        _ type: Value.Type, at position: UInt32, _ place: Place
    ) throws -> Value? {
        guard state.pointee.skipsMistyped else { return try value(type, at: position, place) }
        let trial = beginTrial()
        do {
            let value = try value(type, at: position, place)
            end(trial, isKept: true)
            return value
        } catch {
            try checkLiveness()
            end(trial, isKept: false)
            note(.dropped, reason(error, place), place)
            return nil
        }
    }

    /// Why a value that failed with `error` is left out.
    private func reason(_ error: any Error, _ place: Place) -> DriftReport.Reason {
        guard case DecodingError.typeMismatch(_, let context) = error else { return .invalid }
        return context.codingPath.count == codingPath(place).count ? .mistyped : .invalid
    }

    /// Decodes the value at `position`.
    func value<Value: Decodable>(_ type: Value.Type, at position: UInt32, _ place: Place) throws -> Value {
        switch WellKnownType(type) {
        case .string: return relabeled(try scalar(at: position, place) as String, as: type)
        case .int: return relabeled(try scalar(at: position, place) as Int, as: type)
        case .double: return relabeled(try scalar(at: position, place) as Double, as: type)
        case .date: return relabeled(try date(at: position, place), as: type)
        case .url: return relabeled(try url(at: position, place), as: type)
        case .decimal: return relabeled(try decimal(at: position, place), as: type)
        case .data: return relabeled(try data(at: position, place), as: type)
        case .integers: return relabeled(try scalars(at: position, place) as [Int], as: type)
        case .doubles: return relabeled(try scalars(at: position, place) as [Double], as: type)
        case .strings: return relabeled(try scalars(at: position, place) as [String], as: type)
        case nil: break
        }
        let count = state.pointee.path.handedOutCount
        defer { state.pointee.path.takeBack(to: count) }
        return try Value(from: ValueDecoder(session: self, position: position, place: place))
    }

    /// `value` as what it is known to be: a cast would look that up at run time.
    @inline(__always)
    private func relabeled<Source, Value>(_ value: Source, as type: Value.Type) -> Value {
        unsafeBitCast(value, to: type)
    }

    @inline(__always)
    private func scalar<Value: Scalar>(at position: UInt32, _ place: Place) throws -> Value {
        try Value.read(node(position)) ?? converted(at: position, place)
    }

    private func scalars<Value: Scalar>(at position: UInt32, _ place: Place) throws -> [Value] {
        let array = node(position)
        guard array.kind == .array else { throw failure([Any].self, at: position, place) }
        var values: [Value] = []
        values.reserveCapacity(array.count)
        for element in array.elements {
            let value =
                try Value.read(element)
                ?? converted(at: element.position, step(from: place, intoElement: values.count))
            values.append(value)
        }
        return values
    }

    private func date(at position: UInt32, _ place: Place) throws -> Date {
        if state.pointee.readsSeconds { return Date(timeIntervalSince1970: try scalar(at: position, place)) }
        switch state.pointee.configuration.dateDecodingStrategy {
        case .deferredToDate: return Date(timeIntervalSinceReferenceDate: try scalar(at: position, place))
        case .secondsSince1970: return Date(timeIntervalSince1970: try scalar(at: position, place))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try scalar(at: position, place) / 1000)
        case .iso8601: return try date(ISO8601.date, at: position, place)
        case .format(let format): return try date(format.date, at: position, place)
        case .custom(let read): return try read(ValueDecoder(session: self, position: position, place: place))
        }
    }

    private func date(_ read: (String) -> Date?, at position: UInt32, _ place: Place) throws -> Date {
        guard node(position).isString else { throw failure(String.self, at: position, place) }
        guard let date = read(try scalar(at: position, place)) else {
            throw corrupted("The string is no date of the expected form.", place)
        }
        return date
    }

    private func url(at position: UInt32, _ place: Place) throws -> URL {
        guard let url = URL(string: try scalar(at: position, place)) else {
            throw corrupted("The string is no URL.", place)
        }
        return url
    }

    private func decimal(at position: UInt32, _ place: Place) throws -> Decimal {
        let node = node(position)
        if node.isNumber, let value = Decimal(string: String(decoding: node.text, as: UTF8.self)), value.isFinite {
            return value
        }
        guard state.pointee.coerces, node.isString, let value = JSONScalar(node)?.coerced(to: Decimal.self)?.value
        else { throw failure(Decimal.self, at: position, place) }
        note(.coerced, .numericString, place)
        return value
    }

    private func data(at position: UInt32, _ place: Place) throws -> Data {
        let decoder = ValueDecoder(session: self, position: position, place: place)
        switch state.pointee.configuration.dataDecodingStrategy {
        case .deferredToData: return try Data(from: decoder)
        case .custom(let read): return try read(decoder)
        case .base64:
            guard let data = Data(base64Encoded: try scalar(at: position, place) as String) else {
                throw corrupted("The string is not valid base64.", place)
            }
            return data
        }
    }
}
