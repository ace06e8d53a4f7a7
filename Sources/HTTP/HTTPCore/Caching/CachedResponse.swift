/// What a cache keeps of an upstream's response to a GET beside its document (RFC 9111).
///
/// It never changes and has no clock: times are arguments, in unix seconds.
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
    /// Whether anything but the upstream's word forbids its use beyond the lifetime, such as `must-revalidate`.
    let mayBeStale: Bool
    /// The age when it arrived.
    let initialAge: Int
    /// The fields that decide about its use.
    let fields: HeaderFields
    /// The fields of the request that selected it.
    let selection: [SelectingField]

    /// The moments that a clock can show; others would overflow in sums.
    static let moments = 0...(1 << 40)

    /// What to keep of a response; nil if a shared cache must not store it (§3), or if it is a failure or a part.
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

    /// The bytes of memory that the value takes, about.
    public var size: Int {
        let texts = selection.reduce(fields.bytes.count) { $0 + $1.name.utf8.count + ($1.value?.count ?? 0) }
        // The object takes 112 bytes, and each array has a header of 32 bytes.
        return 112 + 64 + texts + fields.count * MemoryLayout<HeaderFields.Field>.stride
            + selection.count * (MemoryLayout<SelectingField>.stride + 64)
    }

    /// What identifies the version of the document; nil if the upstream gave nothing valid.
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
        // Age and Date are about one response, so those of the stored one mean nothing beside the 304's.
        let kept = fields.including(policy.fieldNames.filter { $0 != "Age" && $0 != "Date" })
        return CachedResponse(
            status: status, headers: kept.replacing(with: headers), request: request, requestTime: requestTime,
            responseTime: responseTime, policy: policy)
    }
}
