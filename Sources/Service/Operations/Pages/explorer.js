"use strict";
// The explorer: a request made of the description of a route, and its answer.

const explainName = "explain", upstreamWord = "raw";
let api, routes, route, underWay;
const panels = {
  answer: new Panel(byID("answer"), "the document"), upstream: new Panel(byID("upstream"), "the document of the upstream"),
};

/** The parameters for which there are fields: the page itself asks for explanations. */
const parametersOf = route => route.parameters.filter(parameter => parameter.name !== explainName);

/** Makes the fields of a route, with these values. */
function choose(chosen, values) {
  route = chosen;
  byID("route").value = route.name;
  byID("summary").replaceChildren(...described([route.summary, route.description].filter(Boolean).join(". ")));
  byID("fields").replaceChildren(...parametersOf(route).map((parameter, index) => field(parameter, index, values[parameter.name] ?? "")));
  byID("problem").textContent = "";
}

/** The label, the input, the hint and the place for a fault of a parameter. */
function field(parameter, index, value) {
  const { schema = {} } = parameter, id = `field-${index}`;
  const words = schema.enum ?? (schema.type === "boolean" ? ["true", "false"] : undefined);
  const fallback = schema.default === undefined ? "" : plainText(schema.default);
  const name = [visible(parameter.name), parameter.required ? make("span", { class: "required" }, " (required)") : null];
  const hint = make("p", { class: "hint", id: `${id}-hint` }, described([parameter.description, limits(schema)].filter(Boolean).join(" ")));
  const fault = make("p", { class: "fault", id: `${id}-fault` });
  const links = { "aria-describedby": `${id}-hint ${id}-fault`, name: parameter.name, "data-field": true };
  if (schema.type === "array" && schema.items?.enum) {
    const chosen = value.split(",");
    return make("fieldset", { class: "field", ...links }, make("legend", null, name),
      schema.items.enum.map(word => make("label", { class: "choice" },
        make("input", { type: "checkbox", value: word, checked: chosen.includes(String(word)) }), " " + visible(word))), hint, fault);
  }
  let input;
  if (words) {
    // A link can have a word that the description does not list; the server says so.
    const all = [...new Set([...words.map(String), value].filter(Boolean))];
    input = make("select", { id, ...links }, make("option", { value: "" }, fallback ? `default: ${visible(fallback)}` : "default"),
      all.map(word => make("option", { value: word, selected: word === value }, visible(word))));
  } else {
    const example = parameter.example === undefined ? fallback : plainText(parameter.example);
    input = make("input", { id, ...links, type: "text", value, placeholder: example && `such as ${visible(example)}`,
      autocomplete: "off", autocapitalize: "off", spellcheck: "false", "aria-required": parameter.required ? "true" : null });
  }
  return make("div", { class: "field" }, make("label", { for: id }, name), input, hint, fault);
}

/** The bounds of a value in words. */
function limits(schema) {
  const { minimum, maximum, maxLength } = schema;
  if (minimum !== undefined && maximum !== undefined) return `From ${minimum} to ${maximum}.`;
  if (minimum !== undefined) return `At least ${minimum}.`;
  if (maximum !== undefined) return `At most ${maximum}.`;
  return maxLength === undefined ? "" : `At most ${maxLength} characters.`;
}

/** The values of the fields that are not empty. */
function readFields() {
  const values = {};
  for (const element of document.querySelectorAll("[data-field]")) {
    const value = element.tagName === "FIELDSET"
      ? [...element.querySelectorAll(":checked")].map(box => box.value).join(",") : element.value;
    if (value) values[element.getAttribute("name")] = value;
  }
  return values;
}

/** The URL and the header fields of a request; `explain` is the value of that parameter, if there is one. */
function requestOf(values, explain) {
  const path = route.path.replace(/\{([^{}]+)\}/g, (_, name) => escaped(values[name] ?? ""));
  const given = route.parameters.filter(parameter => values[parameter.name] !== undefined);
  const query = given.filter(parameter => parameter.in === "query").map(({ name }) => `${escaped(name)}=${escaped(values[name])}`);
  if (explain) query.push(`${explainName}=${explain}`);
  return {
    // Relative, so that the page works below a path of a proxy.
    url: new URL("." + path + (query.length ? "?" + query.join("&") : ""), document.baseURI).href,
    headers: given.filter(parameter => parameter.in === "header").map(({ name }) => [name, values[name]]),
  };
}

const quoted = text => `'${text.replaceAll("'", "'\\''")}'`;

/** Shows the faults beside the fields that they name, and the others together; returns the first such field. */
function showFaults(faults, detail) {
  const others = [];
  let first;
  for (const element of document.querySelectorAll("[data-field]")) element.removeAttribute("aria-invalid");
  for (const element of document.querySelectorAll(".field .fault")) element.textContent = "";
  for (const { parameter, detail } of faults) {
    const element = [...document.querySelectorAll("[data-field]")].find(element => element.getAttribute("name") === parameter);
    if (!element) {
      others.push(`${visible(parameter)} ${visible(detail)}.`);
      continue;
    }
    element.setAttribute("aria-invalid", "true");
    element.closest(".field").querySelector(".fault").textContent = `${visible(parameter)} ${visible(detail)}.`;
    first ??= element.tagName === "FIELDSET" ? element.querySelector("input") : element;
  }
  byID("problem").textContent = faults.length ? others.join(" ") : visible(detail);
  return first;
}

/** Sends the request of the fields and shows the answer. */
async function send() {
  underWay?.abort();
  const controller = underWay = new AbortController();
  const values = readFields(), chosen = route;
  const missing = route.parameters.filter(({ in: place, name }) => place === "path" && !values[name])
    .map(({ name }) => ({ parameter: name, detail: "must not be empty" }));
  const focused = showFaults(missing, "");
  if (missing.length) return focused?.focus();
  const words = route.parameters.find(parameter => parameter.name === explainName)?.schema.enum;
  const shown = requestOf(values), sent = requestOf(values, words && (words.includes(upstreamWord) ? upstreamWord : "1"));
  byID("status").textContent = "Waiting for the answer…";
  try {
    const start = performance.now();
    const response = await fetch(sent.url, { headers: sent.headers, signal: controller.signal });
    const text = await response.text();
    const time = Math.round(performance.now() - start);
    if (controller === underWay) show(shown, response, text, time, chosen);
  } catch (error) {
    if (controller !== underWay) return;
    byID("result").hidden = true;
    byID("status").textContent = `There is no answer: ${visible(error.message)}`;
  }
}

/** Shows an answer with all that is known of it. */
function show(request, response, text, time, chosen) {
  let value;
  const isJSON = /^application\/([^;]+\+)?json/i.test(response.headers.get("Content-Type") ?? "");
  try { value = isJSON ? readJSON(text) : text; } catch { value = text; }
  const isExplained = response.ok && value instanceof JSONMembers && ["data", "drift", "source"].every(key => value.keys.includes(key))
    && chosen.parameters.some(parameter => parameter.name === explainName);
  const data = isExplained ? value.get("data") : value, upstream = isExplained ? value.get("upstream") : undefined;
  const drift = isExplained ? driftOf(value.get("drift"), data, upstream) : [];
  const status = `${response.status} ${response.statusText}`.trim();
  const repairs = drift.reduce((sum, entry) => sum + entry.count, 0);
  byID("status").textContent = `${visible(status)} in ${time} ms${isExplained ? `, ${repairs} repairs` : ""}`;
  const source = isExplained ? stringOf(follow(value, "source", "upstream")) : undefined;
  facts("facts", [["URL", make("a", { href: request.url }, visible(request.url))], ["Status", status], ["Time", `${time} ms`],
    ["Cache-Status", response.headers.get("Cache-Status")], ["Upstream", source]]);
  facts("headers", [...response.headers]);
  byID("curl").textContent = ["curl", ...request.headers.map(([name, value]) => "-H " + quoted(`${name}: ${value}`)), quoted(request.url)].join(" ");
  byID("result").hidden = false;
  byID("view").replaceChildren(...response.ok ? viewsOf(data, api) : []);
  panels.answer.show(data, marked(drift, "inAnswer"));
  byID("upstream").hidden = upstream === undefined;
  if (upstream !== undefined) panels.upstream.show(upstream, marked(drift, "inUpstream"));
  byID("repairs").hidden = !drift.length;
  byID("drift").replaceChildren(...drift.map(entry => make("li", null,
    entry.kind === "unlisted" ? `${entry.count} more, which the report only counts` : repairButton(entry, upstream !== undefined))));
  if (response.status !== 400) return;
  const faults = (childrenOf(follow(value, "errors")) ?? []).map(fault => (
    { parameter: stringOf(follow(fault, "parameter")) ?? "", detail: stringOf(follow(fault, "detail")) ?? "" }));
  showFaults(faults, stringOf(follow(value, "detail")) ?? stringOf(follow(value, "error")) ?? "")?.focus();
}

/** Fills a list of terms with the values that there are. */
function facts(id, pairs) {
  byID(id).replaceChildren(...pairs.filter(([, value]) => value != null && value !== "").map(([term, value]) =>
    make("div", null, make("dt", null, visible(term)), make("dd", null, typeof value === "string" ? visible(value) : value))));
}

/** The repairs with their places in both documents. */
function driftOf(list, data, upstream) {
  return (childrenOf(list) ?? []).map(item => {
    const text = key => stringOf(follow(item, key)) ?? "";
    const entry = { kind: text("kind"), path: text("path"), from: text("from"), reason: text("reason"), example: text("example"),
      count: numberOf(follow(item, "count")) ?? 1 };
    if (entry.kind === "unlisted") return entry;
    entry.inAnswer = locate(data, entry.example);
    if (upstream !== undefined) entry.inUpstream = { place: upstreamPlace(upstream, entry), isWhole: true };
    return entry;
  });
}

/** The repairs by the keys of the places that exist in a document. */
function marked(drift, side) {
  const marks = new Map();
  for (const entry of drift) {
    const { place, isWhole } = entry[side] ?? {};
    if (place && isWhole) marks.set(keyOf(place), [...marks.get(keyOf(place)) ?? [], entry]);
  }
  return marks;
}

/** A repair in the list; its button leads to the place in both documents. */
function repairButton(entry, hasUpstream) {
  const reason = entry.reason.replace(/[A-Z]+/g, capital => " " + capital.toLowerCase());
  const button = make("button", { type: "button", "aria-pressed": "false", click: () => {
    for (const other of byID("drift").querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
    panels.answer.reveal(entry.inAnswer.place);
    const { place } = entry.inUpstream ?? {};
    if (place) panels.upstream.reveal(place);
    byID("status").textContent = (entry.inAnswer.isWhole ? "Shown in the document." : "The document does not have the value; the nearest part is shown.")
      + (hasUpstream ? place ? " Shown in the document of the upstream." : " The place in the document of the upstream is not known." : "");
    byID("answer").scrollIntoView({ block: "nearest" });
  } }, make("mark", null, visible(entry.kind)), " ", make("code", null, visible(entry.path || "the whole document")),
  `: ${visible(reason)}${entry.count > 1 ? `, ${entry.count} times, first at ${visible(entry.example)}` : ""}`,
  entry.from ? [", from ", make("code", null, visible(entry.from))] : null);
  return button;
}

/** Takes over the request in the fragment of the page; returns false if there is none. */
function restore() {
  const [name, query = ""] = location.hash.slice(1).split(/\?(.*)/s);
  const found = routes.find(route => escaped(route.name) === name);
  if (found) choose(found, Object.fromEntries(new URLSearchParams(query)));
  return Boolean(found);
}

async function copy(text, button) {
  let done = "Copied";
  try { await navigator.clipboard.writeText(text); } catch { done = "The browser does not allow a copy: select the text."; }
  byID("status").textContent = done;
  button.focus();
}

async function start() {
  try {
    ({ api, routes } = await loadAPI());
  } catch (error) {
    byID("status").textContent = visible(error.message);
    return;
  }
  byID("route").append(...[...tagged(routes)].map(([tag, routes]) => make("optgroup", { label: visible(tag) },
    routes.map(route => make("option", { value: route.name }, visible(`${route.path} – ${route.summary}`))))));
  byID("route").addEventListener("change", event => {
    const chosen = routes.find(route => route.name === event.target.value);
    choose(chosen, exampleValues(chosen));
  });
  byID("request").addEventListener("submit", event => {
    event.preventDefault();
    const target = fragment(route.name, readFields());
    if (location.hash === target) send(); else location.hash = target;
  });
  addEventListener("hashchange", () => { if (restore()) send(); });
  byID("copy-curl").addEventListener("click", event => copy(byID("curl").textContent, event.target));
  byID("copy-link").addEventListener("click", event => copy(location.href, event.target));
  if (restore()) send(); else if (routes.length) choose(routes[0], exampleValues(routes[0]));
}

start();
