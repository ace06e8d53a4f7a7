import CivilDates

/// The facts that a cache keeps of an upstream's response to a GET beside its document (RFC 9111).
///
/// The value never changes and has no clock: times are arguments, in unix seconds.
public final class CachedResponse: Sendable {
    /// The status of the response.
    public let status: Status
    /// When the request was sent.
    public let requestTime: Int
    /// When the response arrived, or the 304 that made it fresh again.
    public let responseTime: Int
    /// The seconds from the making of the response for which it is fresh, after the policy's floor and ceiling.
    public let lifetime: Int
    /// Whether each use must be validated (`no-cache`).
    public let requiresValidation: Bool
    /// The seconds beyond its lifetime in which it may be used while it is validated.
    public let staleWhileRevalidate: Int
    /// The seconds beyond its lifetime in which it may be used if the upstream fails.
    public let staleIfError: Int
    /// Whether the response may be used beyond its lifetime; `must-revalidate` forbids it.
    let mayBeStale: Bool
    /// The age when it arrived.
    let initialAge: Int
    /// The fields that decide about its use.
    let fields: HeaderFields
    /// The fields of the request that selected it.
    let selection: [SelectingField]

    /// The seconds that the clock may go back: a response that arrived later than that after now has an unknown age.
    private static let skew = 60

    /// The instants that a clock can show; other numbers would overflow in sums.
    static let moments = 0...(1 << 40)

    /// The facts of a response; nil if a shared cache must not store it (§3), or if it is a failure or a part.
    ///
    /// `request` has the fields of the request as Vary selects by them. Authorization in them is a client's (§3.5); the
    /// service's own key is the same for all clients and does not belong there. The caller observes `no-store` of a client.
    public convenience init?(
        status: Status, headers: HeaderFields, request: HeaderFields = HeaderFields(), requestTime: Int,
        responseTime: Int, policy: CachePolicy
    ) {
        let fields = headers.including(policy.fieldNames)
        guard let selection = fields.selection(from: request) else { return nil }
        let isOneClients = policy.obeysUpstream && request.bytes("Authorization") != nil
        guard !isOneClients || CacheControl(fields).allowsAuthorization else { return nil }
        self.init(status, fields, selection, requestTime: requestTime, responseTime: responseTime, policy)
    }

    init?(
        _ status: Status, _ fields: HeaderFields, _ selection: [SelectingField], requestTime: Int, responseTime: Int,
        _ policy: CachePolicy
    ) {
        let control = CacheControl(fields)
        let isForbidden =
            control.requiresUnderstanding ? !status.isUnderstood : control.forbidsStoring
        guard status.isStorable, !isForbidden, !control.isPrivate else { return nil }
        guard Self.moments ~= requestTime, Self.moments ~= responseTime else { return nil }
        let freshness = Freshness(fields, control, sent: requestTime, now: responseTime)
        let mayGuess = status.allowsHeuristics || control.isPublic
        guard mayGuess || control.maximumAge != nil || control.sharedMaximumAge != nil || fields["Expires"] != nil
        else { return nil }
        (self.status, self.fields, self.selection) = (status, fields, selection)
        (self.requestTime, self.responseTime) = (requestTime, responseTime)
        (requiresValidation, mayBeStale) = (control.requiresValidation, freshness.mayBeStale)
        initialAge = freshness.age
        lifetime = policy.lifetime(status, fields, freshness, mayGuess: mayGuess, now: responseTime)
        staleWhileRevalidate = freshness.staleWhileRevalidate ?? (status.isNegative ? 0 : policy.staleWhileRevalidate)
        staleIfError = freshness.staleIfError ?? (status.isNegative ? 0 : policy.staleIfError)
    }

    /// The approximate bytes of memory that the value takes.
    public var size: Int {
        let texts = selection.reduce(fields.bytes.count) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
        // The object takes 112 bytes, and each array has a header of 32 bytes.
        return 112 + 64 + texts + fields.count * MemoryLayout<HeaderFields.Field>.stride
            + selection.count * (MemoryLayout<SelectingField>.stride + 64)
    }

    /// The identity of the document's version; nil if the upstream gave no valid one.
    public var validators: Validators? { Validators(fields) }

    /// Whether the response answers a request with these fields, as its Vary says (§4.1).
    public func matches(_ request: HeaderFields) -> Bool {
        selection.allSatisfy { request.normalizedValue($0.name) == $0.value }
    }

    /// The response after a 304 answered the request that `validators` made conditional (§4.3.4, §3.2).
    ///
    /// The document stays, the fields of the 304 replace those of the response, and it is as fresh as they say. Nil if the
    /// 304 is about another version, or if the response must not be stored any longer: then the upstream must be asked
    /// again without a condition.
    public func updated(
        by headers: HeaderFields, request: HeaderFields = HeaderFields(), requestTime: Int, responseTime: Int,
        policy: CachePolicy
    ) -> CachedResponse? {
        if let other = Validators(headers), let validators, !validators.mayBeOf(other) { return nil }
        // Age and Date describe one response: the stored ones do not hold for the 304.
        let kept = fields.including(policy.fieldNames.filter { $0 != "Age" && $0 != "Date" })
        return CachedResponse(
            status: status, headers: kept.replacing(with: headers), request: request, requestTime: requestTime,
            responseTime: responseTime, policy: policy)
    }
}

/// The use that a cache may make of a stored response (RFC 9111 §4).
public enum CacheDecision: Sendable, Equatable {
    /// Answer with it; `age` goes into Age.
    case fresh(age: Int)
    /// Answer with it, and ask the upstream for a newer one meanwhile (RFC 5861 §3).
    case staleWhileRevalidate(age: Int)
    /// Ask the upstream first, with these conditions if there are any.
    case mustValidate(Validators?)
}

extension CachedResponse {
    /// The age in seconds at an instant (§4.2.3), at most `CacheControl.longest`.
    ///
    /// A response from the future, as after the correction of a clock, is that old: otherwise it would stay fresh.
    public func age(at now: Int) -> Int {
        if responseTime - Self.skew > now { return CacheControl.longest }
        // A clock that went back a little adds nothing; a clock that shows an impossible instant must not overflow the sum.
        let now = min(max(responseTime, now), Self.moments.upperBound)
        return min(initialAge + now - responseTime, CacheControl.longest)
    }

    /// The seconds for which the response is still fresh; negative if it is stale.
    public func remaining(at now: Int) -> Int { lifetime - age(at: now) }

    /// The use that a cache may make of the response for a client that asks at `now`.
    public func decision(for client: ClientDirectives = .none, at now: Int) -> CacheDecision {
        let age = age(at: now)
        if requiresValidation || client.requiresValidation || !isYoungEnough(age, for: client) {
            return .mustValidate(validators)
        }
        if age < lifetime { return .fresh(age: age) }
        // A client cannot accept a stale response that the upstream forbids to use (§4.2.4).
        let accepted = mayBeStale ? client.maximumStale.map { $0 + 1 } ?? 0 : 0
        guard age - lifetime < max(staleWhileRevalidate, accepted) else { return .mustValidate(validators) }
        return .staleWhileRevalidate(age: age)
    }

    /// Whether the client accepts a response of this age, stale or not: its `max-age` and `min-fresh`.
    private func isYoungEnough(_ age: Int, for client: ClientDirectives) -> Bool {
        if let greatest = client.maximumAge, age > greatest { return false }
        return client.minimumFresh.map { lifetime - age >= $0 } ?? true
    }

    /// Whether the response may be used after the upstream failed at `now` (RFC 5861 §4).
    ///
    /// The client's directives do not count: they are preferences (RFC 9111 §5.2.1).
    public func mayServe(afterErrorAt now: Int) -> Bool {
        !requiresValidation && age(at: now) - lifetime < staleIfError
    }

    /// Expires of Weir's own answers from this document, for clients that do not read Cache-Control.
    public var expires: String {
        String(decoding: HTTPDate.format(secondsSinceEpoch: responseTime - initialAge + lifetime), as: UTF8.self)
    }

    /// Cache-Control and Last-Modified of Weir's own answers from this document; Age says how old it is.
    public var answerFields: [(name: String, value: String)] {
        var control = requiresValidation ? "no-cache" : "max-age=\(lifetime)"
        if staleWhileRevalidate > 0 { control += ", stale-while-revalidate=\(staleWhileRevalidate)" }
        if staleIfError > 0 { control += ", stale-if-error=\(staleIfError)" }
        if !mayBeStale, !requiresValidation { control += ", must-revalidate" }
        let changed = fields.lastModified(relativeTo: responseTime)
        let date = changed.map { String(decoding: HTTPDate.format(secondsSinceEpoch: $0), as: UTF8.self) }
        return [("Cache-Control", control)] + (date.map { [("Last-Modified", $0)] } ?? [])
    }
}

/// The form of a stored response in a snapshot, which states the version of the form.
///
/// All numbers are little-endian: the status and the numbers of fields in 4 bytes, times in 8. A text is its length in 4
/// bytes and its bytes; the length of a field that a request did not have is the greatest number.
extension CachedResponse {
    /// Appends the response to `output`.
    public func encode(into output: inout [UInt8]) {
        output.append(littleEndian: UInt32(status.code))
        output.append(littleEndian: UInt64(requestTime))
        output.append(littleEndian: UInt64(responseTime))
        output.append(littleEndian: UInt32(fields.count))
        for field in fields.fields {
            output.append(counted: fields.bytes[field.name])
            output.append(counted: fields.bytes[field.value])
        }
        output.append(littleEndian: UInt32(selection.count))
        for field in selection {
            output.append(counted: field.name.utf8)
            if let value = field.value {
                output.append(counted: value)
            } else {
                output.append(littleEndian: UInt32.max)
            }
        }
    }

    /// Reads a response from the start of `input` and removes its bytes; nil if they are damaged.
    ///
    /// The policy of now decides about its freshness. Nil, too, if it must not be stored under this policy.
    public convenience init?(decoding input: inout ArraySlice<UInt8>, policy: CachePolicy) {
        guard let code = input.takeNumber(UInt32.self), 200...599 ~= code,
            let requestTime = input.takeNumber(UInt64.self),
            let responseTime = input.takeNumber(UInt64.self), let count = input.takeNumber(UInt32.self)
        else { return nil }
        var pairs: [(name: String, value: String)] = []
        for _ in 0..<count {
            guard let name = input.takeCounted(), let value = input.takeCounted() else { return nil }
            pairs.append((String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self)))
        }
        var selection: [SelectingField] = []
        guard let selecting = input.takeNumber(UInt32.self) else { return nil }
        for _ in 0..<selecting {
            guard let name = input.takeCounted() else { return nil }
            let isAbsent = input.starts(with: [255, 255, 255, 255])
            if isAbsent { input.removeFirst(4) }
            guard let value = isAbsent ? [] : input.takeCounted() else { return nil }
            selection.append(
                SelectingField(name: String(decoding: name, as: UTF8.self), value: isAbsent ? nil : Array(value)))
        }
        self.init(
            Status(Int(code)), HeaderFields(pairs).including(policy.fieldNames),
            policy.obeysUpstream ? selection : [], requestTime: Int(clamping: requestTime),
            responseTime: Int(clamping: responseTime), policy)
    }
}
