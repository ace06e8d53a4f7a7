import Glibc

/// The processor time used so far.
package enum ProcessorTime {
    package static var ofThread: Duration { time(on: CLOCK_THREAD_CPUTIME_ID) }
    package static var ofProcess: Duration { time(on: CLOCK_PROCESS_CPUTIME_ID) }

    private static func time(on clock: clockid_t) -> Duration {
        var time = timespec()
        clock_gettime(clock, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
