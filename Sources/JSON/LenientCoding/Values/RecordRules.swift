import JSONText
import Records

extension ValueDecoder {
    /// What the decoder's configuration says about records.
    var recordRules: DecoderRules {
        // Without letters, no names are similar.
        let findsSimilar = state.configuration.leniency.contains(.similarKeys)
        let letters = findsSimilar ? SnakeCase.letters : { _ in "" }
        let keys: DecoderRules.KeyConversion =
            switch state.configuration.keyDecodingStrategy {
            case .useDefaultKeys: .none
            case .convertFromSnakeCase: .snakeCase(converted: SnakeCase.camelCased, letters: letters)
            case .custom(let convert): .custom(convert)
            }
        return DecoderRules(
            coerces: state.coerces, toleratesMistyped: state.skipsMistyped,
            readsLoneSurrogates: state.readsLoneSurrogates, keys: keys, decoder: self)
    }
}

extension ValueEncoder {
    /// The strategies of the configuration for dates and data; nil for the default ones.
    var recordStrategies: EncoderStrategies? {
        if case .deferredToDate = branch.state.configuration.dateEncodingStrategy,
            case .base64 = branch.state.configuration.dataEncodingStrategy
        {
            return nil
        }
        return EncoderStrategies(branch.state.configuration)
    }
}

extension RecordReader {
    /// The decoder's configuration; the default one, with all repairs, if the record is read without a decoder.
    var configuration: LenientDecoder {
        if let decoder = rules?.decoder as? ValueDecoder { return decoder.state.configuration }
        var configuration = LenientDecoder()
        configuration.leniency = .all
        return configuration
    }

    /// Decodes the current value with the decoder of the record; returns nil, with a reason, if it does not decode.
    mutating func decode<Value: Decodable>(_ type: Value.Type, _ node: JSONNode, _ rules: FieldRules) -> Value? {
        if rules.meanAbsent(node) { return fail(.sentinel) }
        do {
            if let decoder = self.rules?.decoder as? ValueDecoder {
                let inner = locationKeys.reduce(decoder) { parent, key in
                    let step = key.intValue.map(PathStep.element) ?? .member(key)
                    return ValueDecoder(decoder.state, at: node.position, step, of: parent)
                }
                return try inner.decode(type)
            }
            let state = DecodingState(node, configuration, reportsUnknownMembers: false)
            defer { state.end() }
            return try ValueDecoder(state, at: node.position, .root, of: nil).decode(type)
        } catch DecodingError.typeMismatch {
            return fail(.mistyped)
        } catch {
            // Not `invalid`, which means that something inside of the value is wrong and noted.
            return fail(node.isNumber ? .inexact : .mistyped)
        }
    }
}
