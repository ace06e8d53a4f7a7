// Unsafe: epoll and eventfd take pointers to an array and to locals of this file, valid for the duration of each call.
import CSystem
import Glibc

/// The events for which a descriptor is ready or watched, as epoll's bits.
public struct Readiness: OptionSet, Sendable {
    /// The kernel's event bits.
    public let rawValue: UInt32

    /// A set of the kernel's event bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    /// EPOLLIN: bytes or the end of the stream can be read.
    public static let readable = Readiness(rawValue: 0x001)
    /// EPOLLOUT: bytes can be written.
    public static let writable = Readiness(rawValue: 0x004)
    /// EPOLLERR: the descriptor failed; always watched for.
    public static let failed = Readiness(rawValue: 0x008)
    /// EPOLLHUP: both directions are closed; always watched for.
    public static let hungUp = Readiness(rawValue: 0x010)
    /// EPOLLRDHUP: the peer has closed its sending side.
    public static let peerFinished = Readiness(rawValue: 0x2000)
    /// EPOLLEXCLUSIVE: an event wakes at least one of the loops that watch the descriptor, but not all.
    static let exclusive = Readiness(rawValue: 1 << 28)
}

/// An object that handles the events of a descriptor, on the shard that watches it.
public protocol ReadinessHandler: AnyObject {
    /// Called in every iteration of the loop in which the descriptor is ready.
    func descriptorIsReady(_ readiness: Readiness)
}

extension Shard {
    /// A watched descriptor, valid until `remove`.
    public struct Watch: Hashable, Sendable {
        fileprivate let index: UInt32
        /// Distinguishes the watch from a later one in the same slot.
        fileprivate let generation: UInt32
        fileprivate var data: UInt64 { UInt64(generation) << 32 | UInt64(index) }
    }
}

/// An epoll set, the eventfd that wakes it, and the handlers of its descriptors; owned by one shard.
struct Poller: ~Copyable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var descriptor: Int32 = -1
        var generation: UInt32 = 0
    }

    private static let wakeUpData = UInt64.max

    private let epoll: Int32
    let wakeUp: Int32
    private var slots: [Slot] = []
    private var free: [UInt32] = []
    private var events = [epoll_event](repeating: epoll_event(), count: 256)

    init() throws {
        epoll = epoll_create1(Int32(EPOLL_CLOEXEC))
        wakeUp = eventfd(0, Int32(EFD_CLOEXEC) | Int32(EFD_NONBLOCK))
        guard epoll >= 0, wakeUp >= 0 else { throw SystemError("create an epoll set and its eventfd") }
        _ = weir_epoll_control(epoll, EPOLL_CTL_ADD, wakeUp, Readiness.readable.rawValue, Self.wakeUpData)
    }

    deinit {
        close(wakeUp)
        close(epoll)
    }

    mutating func add(
        _ descriptor: Int32, for interest: Readiness, _ handler: any ReadinessHandler
    ) throws -> Shard.Watch {
        if free.isEmpty {
            free.append(UInt32(slots.count))
            slots.append(Slot())
        }
        let index = free[free.count - 1]
        let watch = Shard.Watch(index: index, generation: slots[Int(index)].generation)
        guard weir_epoll_control(epoll, EPOLL_CTL_ADD, descriptor, interest.rawValue, watch.data) == 0 else {
            throw SystemError("watch a descriptor")
        }
        free.removeLast()
        slots[Int(index)] = Slot(handler: handler, descriptor: descriptor, generation: watch.generation)
        return watch
    }

    func change(_ watch: Shard.Watch, to interest: Readiness) {
        guard let slot = slot(of: watch) else { return }
        _ = weir_epoll_control(epoll, EPOLL_CTL_MOD, slot.descriptor, interest.rawValue, watch.data)
    }

    mutating func remove(_ watch: Shard.Watch) {
        guard let slot = slot(of: watch) else { return }
        _ = weir_epoll_control(epoll, EPOLL_CTL_DEL, slot.descriptor, 0, 0)
        slots[Int(watch.index)] = Slot(generation: watch.generation &+ 1)
        free.append(watch.index)
    }

    private func slot(of watch: Shard.Watch) -> Slot? {
        let slot = slots[Int(watch.index)]
        return slot.generation == watch.generation && slot.descriptor >= 0 ? slot : nil
    }

    /// Waits for at most `milliseconds` (-1: without limit) and returns the number of events.
    mutating func wait(milliseconds: Int32) -> Int {
        let count = epoll_wait(epoll, &events, Int32(events.count), milliseconds)
        return count < 0 ? 0 : Int(count)
    }

    /// Returns the event at `index` of the last wait; nil for a wake-up and for a descriptor that has been removed.
    func event(at index: Int) -> (handler: any ReadinessHandler, readiness: Readiness)? {
        var event = events[index]
        let data = weir_epoll_data(&event)
        if data == Self.wakeUpData {
            var count: UInt64 = 0
            read(wakeUp, &count, 8)
            return nil
        }
        let slot = slots[Int(data & 0xFFFF_FFFF)]
        guard UInt64(slot.generation) == data >> 32, let handler = slot.handler else { return nil }
        return (handler, Readiness(rawValue: event.events))
    }
}
