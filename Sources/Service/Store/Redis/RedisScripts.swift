import HTTPCore

/// A script that Redis runs as one step, known to Redis by its digest.
struct RedisScript: Sendable {
    let operation: RedisOperation
    let source: String
    let digest: String

    private init(_ operation: RedisOperation, _ source: String) {
        (self.operation, self.source, digest) = (operation, source, SecureHash.sha1(of: source))
    }

    /// Does what the other scripts do, for a connection and for the breaker: writes two keys.
    ///
    /// A node of a cluster refuses two keys in one script.
    static let probe = RedisScript(
        .probe,
        """
        redis.call('SET', KEYS[1], 1, 'PX', 1000)
        redis.call('SET', KEYS[2], 1, 'PX', 1000)
        return 1
        """)

    /// Takes a lease, or lengthens the one with the fence: `{1, fence}`, or `{0, milliseconds}` while another replica has one.
    ///
    /// Fences grow with each lease of any key. No lease is longer than the one that is asked for: Redis's clock has gone back,
    /// or the key has lost its end, so the lease is taken.
    static let lease = RedisScript(
        .lease,
        """
        local left = redis.call('PTTL', KEYS[1])
        if redis.call('GET', KEYS[1]) == ARGV[2] then
            redis.call('PEXPIRE', KEYS[1], ARGV[1])
            return {1, tonumber(ARGV[2])}
        end
        if left >= 0 and left <= tonumber(ARGV[1]) then return {0, math.max(left, 1)} end
        local fence = redis.call('INCR', KEYS[2])
        redis.call('SET', KEYS[1], fence, 'PX', ARGV[1])
        return {1, fence}
        """)

    /// Returns the fence of a lease and the milliseconds for which it is valid; none has the fence 0.
    static let change = RedisScript(
        .change, "return {tonumber(redis.call('GET', KEYS[1]) or '0'), redis.call('PTTL', KEYS[1])}")

    /// Keeps a value unless a lease with a later fence has written the key, and ends the lease.
    ///
    /// A Redis that has lost its keys counts fences from 1 again: until the old leases are over, the older of two values
    /// of a key can be written last.
    static let keep = RedisScript(
        .keep,
        """
        local written = tonumber(redis.call('GET', KEYS[2]) or '0')
        if written > tonumber(ARGV[1]) then return 0 end
        redis.call('SET', KEYS[1], ARGV[4], 'PX', ARGV[2])
        redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[3])
        if redis.call('GET', KEYS[3]) == ARGV[1] then redis.call('DEL', KEYS[3]) end
        return 1
        """)

    /// Gives a lease back, unless another replica has it by now.
    static let release = RedisScript(
        .release,
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        redis.call('DEL', KEYS[1])
        return 1
        """)

    /// Adds to the times until which clients have used up their rates, and returns what is left of each in microseconds.
    ///
    /// The arguments of each client are the time to add and the longest time.
    static let spend = RedisScript(
        .spend,
        """
        local time = redis.call('TIME')
        local now = tonumber(time[1]) * 1000000 + tonumber(time[2])
        local answer = {}
        for i, key in ipairs(KEYS) do
            local known = redis.pcall('GET', key)
            local begin = math.max(type(known) == 'string' and tonumber(known) or 0, now)
            local left = math.min(begin - now + tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i]))
            redis.call('SET', key, string.format('%.0f', now + left), 'PX', math.ceil(left / 1000) + 1)
            answer[i] = left
        end
        return answer
        """)

    /// The name of a window at a time in seconds since 1970, in UTC, and the seconds for which its count is kept.
    ///
    /// The civil year and month follow Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms".
    static let window = """
        local lengths = {second = 1, minute = 60, hour = 3600, day = 86400}
        local function window(period, now)
            local length = lengths[period]
            if length then return period .. ':' .. string.format('%d', math.floor(now / length)), length + 60 end
            local days = math.floor(now / 86400) + 719468
            local era = math.floor(days / 146097)
            local day = days - era * 146097
            local year = math.floor((day - math.floor(day / 1460) + math.floor(day / 36524) - math.floor(day / 146096)) / 365)
            local left = day - (365 * year + math.floor(year / 4) - math.floor(year / 100))
            local month = (math.floor((5 * left + 2) / 153) + 2) % 12 + 1
            year = year + era * 400 + (month <= 2 and 1 or 0)
            return string.format('month:%d-%d', year, month), 32 * 86400
        end

        """

    /// Counts requests that were made without asking and takes others: `{granted, seconds, microseconds, epoch, used…}`.
    ///
    /// The arguments are the number, the epoch and the name of the replica, and for each window the period, the limit, the
    /// start, the known requests, those without asking, and those of them that are counted. A new epoch begins when counts
    /// are lost or evicted; its number is the time.
    static let allot = RedisScript(
        .allot,
        window
            + """
            local time = redis.call('TIME')
            local now = tonumber(time[1])
            local epoch = redis.call('GET', KEYS[2])
            local windows = {}
            for i = 4, #ARGV, 6 do
                local name, seconds = window(ARGV[i], now)
                local key = KEYS[1] .. ':' .. name
                local stored = redis.call('GET', key)
                local isSame = window(ARGV[i], tonumber(ARGV[i + 2])) == name
                local known = isSame and tonumber(ARGV[i + 3]) or 0
                if not stored and known > 0 then epoch = false end
                windows[#windows + 1] = {
                    key = key, seconds = seconds, stored = tonumber(stored or '0'), known = known,
                    limit = tonumber(ARGV[i + 1]), unasked = isSame and tonumber(ARGV[i + 4]) or 0,
                    counted = tonumber(ARGV[i + 5])
                }
            end
            if not epoch then
                epoch = string.format('%.0f', now * 1000000 + tonumber(time[2]))
                redis.call('SET', KEYS[2], epoch)
            end
            local granted = tonumber(ARGV[1])
            for _, each in ipairs(windows) do
                each.used = each.stored
                if epoch ~= ARGV[2] then each.used = math.max(each.used, each.known) end
                if each.unasked > 0 then
                    local key = each.key .. ':' .. ARGV[3]
                    local new = each.unasked - tonumber(redis.call('GET', key) or each.counted)
                    if new > 0 then
                        each.used = each.used + new
                        redis.call('SET', key, each.unasked, 'EX', each.seconds)
                    end
                end
                if granted > each.limit - each.used then granted = 0 end
            end
            local answer = {granted, now, tonumber(time[2]), tonumber(epoch)}
            for _, each in ipairs(windows) do
                local used = each.used + granted
                if used ~= each.stored then redis.call('SET', each.key, used, 'EX', each.seconds) end
                answer[#answer + 1] = used
            end
            return answer
            """)
}
