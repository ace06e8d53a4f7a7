/// An array in pages of equal size, so that it never moves its elements to grow.
///
/// An array of a million entries that doubles holds its lock for milliseconds; this one allocates a page.
@usableFromInline
struct PagedArray<Element: Sendable>: Sendable {
    @usableFromInline static var shift: Int { 7 }
    @usableFromInline static var mask: Int { 1 << shift - 1 }

    /// The pages, of which at most the last two have no elements.
    @usableFromInline var pages: [[Element]] = []
    @usableFromInline private(set) var count = 0

    @inlinable
    init() {}

    @inlinable
    subscript(index: Int) -> Element {
        get { pages[index >> Self.shift][index & Self.mask] }
        set { pages[index >> Self.shift][index & Self.mask] = newValue }
    }

    @inlinable
    mutating func append(_ element: Element) {
        let page = count >> Self.shift
        if page == pages.count {
            var fresh: [Element] = []
            fresh.reserveCapacity(Self.mask + 1)
            pages.append(fresh)
        }
        pages[page].append(element)
        count += 1
    }

    /// Removes the element at `index`, whose place the last element takes.
    @inlinable
    mutating func swapRemove(_ index: Int) -> Element {
        count -= 1
        var removed = pages[count >> Self.shift].removeLast()
        if index != count { swap(&removed, &pages[index >> Self.shift][index & Self.mask]) }
        // One free page stays, so that a count around the end of a page does not allocate each time.
        if pages.count > (count + Self.mask) >> Self.shift + 1 { pages.removeLast() }
        return removed
    }
}
