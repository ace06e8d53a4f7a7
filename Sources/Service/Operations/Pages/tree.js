"use strict";
// A document as a folded tree and as text, with a search.

/** The most elements that one opening makes. */
const mostChildren = 200;
/** Longer strings and keys are cut, until a reader asks for more. */
const longString = 1000, longKey = 100, furtherCharacters = 50_000;
const linesAtOnce = 2000, mostMatches = 1000;

const keyOf = place => place.join("/");

/** A container, or a range of the children of a large one. The children are made as the container opens. */
class Fold {
  constructor(panel, title, value, place, from, to) {
    Object.assign(this, { panel, value, place, from, to });
    this.summary = make("summary", null, title);
    this.element = make("details", { toggle: () => this.element.open && this.build() }, this.summary);
  }

  build() {
    if (this.parts) return;
    this.step = 1;
    while ((this.to - this.from) / this.step > mostChildren) this.step *= mostChildren;
    this.parts = [];
    for (let i = this.from; i < this.to; i += this.step) {
      const end = Math.min(i + this.step, this.to);
      this.parts.push(this.step === 1
        ? this.panel.node(this.value, i, [...this.place, i])
        : new Fold(this.panel, `${i} to ${end - 1}`, this.value, this.place, i, end));
    }
    this.element.append(make("ul", null, this.parts.map(part => make("li", null, part.element))));
  }

  /** Opens the way to a child and returns the child. */
  reveal(index) {
    this.build();
    this.element.open = true;
    const part = this.parts[Math.floor((index - this.from) / this.step)];
    return this.step === 1 ? part : part.reveal(index);
  }
}

/** A panel with one document. */
class Panel {
  constructor(section, label) {
    this.body = make("div", { class: "document" });
    this.input = make("input", { type: "search", "aria-label": `Search in ${label}`, placeholder: "Search" });
    this.found = make("span", { role: "status" });
    this.asText = make("button", { type: "button", "aria-pressed": "false", click: () => this.showText(!this.isText) }, "Text");
    section.append(
      make("form", { class: "tools", role: "search", "aria-label": label, submit: event => this.search(event) },
        this.input, make("button", { type: "submit" }, "Find next"), this.asText, this.found),
      this.body);
  }

  /** Shows a document; `marks` are the repairs by the keys of their places. */
  show(value, marks) {
    Object.assign(this, { value, marks, query: undefined, current: undefined });
    this.within = new Map();
    for (const [key, entries] of marks) {
      const place = key ? key.split("/") : [];
      for (let i = 0; i < place.length; i++) {
        const outer = keyOf(place.slice(0, i));
        this.within.set(outer, (this.within.get(outer) ?? 0) + entries.length);
      }
    }
    this.found.textContent = "";
    this.showText(false);
  }

  showText(isText) {
    this.isText = isText;
    this.asText.setAttribute("aria-pressed", isText);
    if (isText) {
      const lines = linesOf(this.value), more = make("button", { type: "button", click: () => add() }, "More lines");
      const add = () => {
        const some = [];
        for (let line; some.length < linesAtOnce && !(line = lines.next()).done;) some.push(line.value);
        // A line can be a whole document.
        const text = some.map(line => line.length > furtherCharacters ? line.slice(0, furtherCharacters) + " …" : line);
        more.before(make("pre", { tabindex: "0" }, text.join("\n")));
        if (some.length < linesAtOnce) more.remove();
      };
      this.body.replaceChildren(more);
      add();
    } else {
      this.root = this.node(undefined, undefined, []);
      this.body.replaceChildren(make("ul", null, make("li", null, this.root.element)));
      if (this.root.build) this.root.element.open = true;
    }
  }

  /** Makes the child of a container, or the root. */
  node(parent, index, place) {
    const value = parent === undefined ? this.value : childrenOf(parent)[index];
    const name = parent === undefined ? [] : [this.name(parent, index), ": "];
    const entries = this.marks.get(keyOf(place)) ?? [];
    const kinds = [...new Set(entries.map(entry => entry.kind))].map(kind => make("mark", null, visible(kind)));
    const children = childrenOf(value);
    if (children?.length) {
      const inner = this.within.get(keyOf(place));
      const count = Array.isArray(value) ? `[${children.length}]` : `{${children.length}}`;
      return new Fold(this,
        [...name, make("span", { class: "count" }, count), ...kinds,
          inner && make("span", { class: "inner" }, inner === 1 ? "1 repair" : `${inner} repairs`)],
        value, place, 0, children.length);
    }
    const shown = children ? Array.isArray(value) ? "[]" : "{}" : this.scalar(value);
    return { element: make("div", { class: "leaf" }, name, shown, kinds) };
  }

  name(parent, index) {
    if (Array.isArray(parent)) return make("span", { class: "index" }, String(index));
    const key = parent.keys[index];
    return make("span", { class: "key" }, visible(key.length > longKey ? key.slice(0, longKey) + "…" : key));
  }

  scalar(value) {
    if (typeof value !== "string") return make("span", { class: "plain" }, scalarText(value));
    const text = value.length > longString ? value.slice(0, longString) : value;
    const element = make("span", { class: "string" }, '"', linked(value.length > longString ? "" : value, visible(text)), '"');
    let shown = text.length;
    if (shown < value.length) {
      const label = () => `${value.length - shown} more characters`;
      const more = make("button", { type: "button", click: () => {
        more.before(visible(value.slice(shown, shown += furtherCharacters)));
        if (shown < value.length) more.textContent = label(); else more.remove();
      } }, label());
      element.lastChild.before(more);
    }
    return element;
  }

  /** Opens the way to a place and marks the place as the current one. */
  reveal(place) {
    if (this.isText) this.showText(false);
    let part = this.root;
    for (const index of place) part = part.reveal(index);
    this.current?.classList.remove("current");
    this.current = part.summary ?? part.element;
    this.current.classList.add("current");
    this.current.scrollIntoView({ block: "nearest" });
    // A jump scrolls the panel, and then the page if the panel is out of sight.
    this.body.scrollTop += this.current.getBoundingClientRect().top - this.body.getBoundingClientRect().top - 60;
  }

  search(event) {
    event.preventDefault();
    const query = this.input.value.toLowerCase();
    if (!query) return;
    if (query !== this.query) {
      [this.query, this.matches, this.next] = [query, this.matching(query), 0];
    }
    const count = this.matches.length;
    if (!count) return void (this.found.textContent = "Not found");
    this.reveal(this.matches[this.next]);
    this.found.textContent = `${this.next + 1} of ${count === mostMatches ? "the first " : ""}${count}`;
    this.next = (this.next + 1) % count;
  }

  /** The places whose keys or values contain a text in lower case, in the order of the document. */
  matching(query) {
    const matches = [], waiting = [[this.value, [], ""]];
    while (waiting.length && matches.length < mostMatches) {
      const [value, place, key] = waiting.pop();
      const children = childrenOf(value);
      const text = children ? "" : value instanceof JSONNumber ? value.text : String(value);
      if (key.toLowerCase().includes(query) || text.toLowerCase().includes(query)) matches.push(place);
      for (let i = (children?.length ?? 0) - 1; i >= 0; i--) {
        waiting.push([children[i], [...place, i], value.keys?.[i] ?? ""]);
      }
    }
    return matches;
  }
}
