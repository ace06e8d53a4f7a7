import CSystem
import Glibc

/// An epoll set, its eventfd for waking it, and who is told of what.
///
/// Owned by one shard.
struct Poller: ~Copyable {
    /// A descriptor in the set.
    ///
    /// Stays valid for its holder until `remove`; never confused with a later one.
    struct Token: Hashable, Sendable {
        fileprivate let index: UInt32
        fileprivate let generation: UInt32
        fileprivate var data: UInt64 { UInt64(generation) << 32 | UInt64(index) }
    }

    private struct Watch {
        var handler: (any ReadinessHandler)?
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
    }

    private static let wakeUpData = UInt64.max

    private let epoll: Int32
    let wakeUp: Int32
    private var watches: [Watch] = []
    private var free: [UInt32] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws {
        let descriptors = try Self.openDescriptors()
        epoll = descriptors.epoll
        wakeUp = descriptors.wakeUp
        _ = weir_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, Readiness.readable.rawValue, Self.wakeUpData)
    }

    private static func openDescriptors() throws -> (epoll: Int32, wakeUp: Int32) {
        let epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        guard epoll >= 0 else { throw SystemError("create an epoll set") }
        let wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        if wakeUp >= 0 { return (epoll, wakeUp) }
        let error = SystemError("create an eventfd")
        close(epoll)
        throw error
    }

    deinit {
        close(wakeUp)
        close(epoll)
    }

    mutating func add(_ descriptor: Int32, for interest: Readiness, _ handler: any ReadinessHandler) throws -> Token {
        let index: UInt32
        if let reused = free.popLast() {
            index = reused
        } else {
            index = UInt32(watches.count)
            watches.append(Watch())
        }
        let generation = watches[Int(index)].generation
        let token = Token(index: index, generation: generation)
        guard weir_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, interest.rawValue, token.data) == 0 else {
            free.append(index)
            throw SystemError("watch a descriptor")
        }
        watches[Int(index)] = Watch(handler: handler, descriptor: descriptor, generation: generation)
        return token
    }

    func change(_ token: Token, to interest: Readiness) {
        guard let watch = watch(token) else { return }
        _ = weir_epoll_control(epoll, EPOLL_CTL_MOD, watch.descriptor, interest.rawValue, token.data)
    }

    mutating func remove(_ token: Token) {
        guard let watch = watch(token) else { return }
        _ = weir_epoll_control(epoll, EPOLL_CTL_DEL, watch.descriptor, 0, 0)
        watches[Int(token.index)] = Watch(generation: token.generation &+ 1)
        free.append(token.index)
    }

    private func watch(_ token: Token) -> Watch? {
        let watch = watches[Int(token.index)]
        return watch.generation == token.generation && watch.descriptor >= 0 ? watch : nil
    }

    /// Waits for at most `milliseconds` (-1: for ever) and returns how many events there are.
    mutating func wait(milliseconds: Int32) -> Int {
        let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        return count < 0 ? 0 : Int(count)
    }

    /// The event at `index` of the last wait, and who is to be told; nil for a wake-up and for a removed descriptor.
    mutating func event(at index: Int) -> (handler: any ReadinessHandler, readiness: Readiness)? {
        let data = weir_epoll_data(&events[index])
        if data == Self.wakeUpData {
            var count: UInt64 = 0
            read(wakeUp, &count, 8)
            return nil
        }
        let watch = watches[Int(data & 0xFFFF_FFFF)]
        guard UInt64(watch.generation) == data >> 32, let handler = watch.handler else { return nil }
        return (handler, Readiness(rawValue: events[index].events))
    }
}
