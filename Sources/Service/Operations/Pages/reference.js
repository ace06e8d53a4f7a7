"use strict";
// The reference: routes, parameters, answers and fields, made of the description of the API.

let schemas, headers;

const schemaName = reference => String(reference ?? "").split("/").pop();
const anchor = (kind, name) => `${kind}-${escaped(name)}`;

/** A table that scrolls on narrow screens, also with the keyboard. */
function table(label, heads, rows) {
  return make("div", { class: "scrolling", tabindex: "0", role: "region", "aria-label": label },
    make("table", null, make("thead", null, make("tr", null, heads.map(head => make("th", { scope: "col" }, head)))),
      make("tbody", null, rows.map(([first, ...cells]) => make("tr", null,
        make("th", { scope: "row" }, first), cells.map(cell => make("td", null, cell)))))));
}

/** The type of a value in words, with links to the fields of objects. */
function typeOf(schema = {}) {
  if (schema.$ref) {
    const name = schemaName(schema.$ref);
    return [make("a", { href: "#" + anchor("schema", name) }, visible(name))];
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.flatMap((choice, i) => i ? [" or ", ...typeOf(choice)] : typeOf(choice));
  if (schema.type === "array") return ["list of ", ...typeOf(schema.items)];
  const type = [schema.type ?? "any value"].flat().join(" or ") + (schema.format ? ` (${schema.format})` : "");
  return [visible(type)];
}

/** The values that a schema admits, in words. */
function valuesOf(schema = {}) {
  const { minimum, maximum, minLength, maxLength, pattern, items } = schema;
  const words = schema.enum ?? items?.enum;
  return [
    words && [words.map((word, i) => [i ? ", " : "", make("code", null, visible(word))])],
    minimum !== undefined && maximum !== undefined ? `${minimum} to ${maximum}`
      : minimum !== undefined ? `at least ${minimum}` : maximum !== undefined ? `at most ${maximum}` : null,
    minLength > 1 ? `at least ${minLength} characters` : null,
    maxLength !== undefined ? `at most ${maxLength} characters` : null,
    pattern && ["matches ", make("code", null, visible(pattern))],
    schema.default !== undefined && ["default ", make("code", null, visible(plainText(schema.default)))],
  ].filter(Boolean).flatMap((part, i) => i ? ["; ", part] : [part]).flat(9);
}

/** The unit of a field; of a field that follows the units of the request, the unit of each system. */
function unitOf(schema = {}) {
  if (schema["x-unit"]) return visible(schema["x-unit"]);
  const systems = new Map();
  for (const [system, unit] of Object.entries(schema["x-units"] ?? {})) systems.set(unit, [...systems.get(unit) ?? [], system]);
  if (systems.size === 1) return visible([...systems.keys()][0]);
  return [...systems].map(([unit, names]) => visible(`${unit} (${names.join(", ")})`)).join("; ");
}

/** The fields of an object, and of the objects in the object that have no name of their own. */
function fieldRows(schema, prefix = "") {
  return Object.entries(schema.properties ?? {}).flatMap(([name, field]) => {
    const path = prefix + name, inner = field.type === "array" ? field.items ?? {} : field;
    const required = schema.required?.includes(name) ? make("span", { class: "required" }, " (required)") : null;
    const row = [[make("code", null, visible(path)), required], typeOf(field), unitOf(field), [...described(field.description), " ", ...valuesOf(field)]];
    return [row, ...fieldRows(inner, path + (field.type === "array" ? "[]." : "."))];
  });
}

const fieldTable = (label, schema) => table(label, ["Field", "Type", "Unit", "Meaning"], fieldRows(schema));

/** The schema of an answer without the explanation, which all routes with documents have. */
function plainSchema(schema = {}) {
  const plain = schema.anyOf?.find(choice => !(choice.properties?.data && choice.properties?.drift));
  return plain ?? schema;
}

function answerParts(name, responses) {
  const parts = [];
  for (const [status, response] of Object.entries(responses).filter(([status]) => status < 300)) {
    for (const [type, { schema }] of Object.entries(response.content ?? {})) {
      const plain = plainSchema(schema), inner = plain.type === "array" ? plain.items ?? {} : plain;
      parts.push(make("p", null, visible(status), " ", make("code", null, visible(type)), ": ", typeOf(plain), ". ",
        schema === plain ? null : ["With ", make("code", null, "explain"), ", the same as ", make("code", null, "data"), " beside ",
          make("code", null, "drift"), " and ", make("code", null, "source"), "."]));
      if (inner.properties) parts.push(fieldTable(`Fields of the answer of ${name}`, inner));
    }
    const fields = Object.keys(response.headers ?? {});
    if (fields.length) parts.push(make("p", null, "Header fields: ", fields.map((field, i) => [i ? ", " : "",
      make("a", { href: "#" + anchor("header", field) }, visible(field))]).flat(), "."));
  }
  return parts;
}

function routeSection(route) {
  const name = visible(route.name), examples = exampleValues(route);
  const problems = Object.entries(route.responses).filter(([status]) => status >= 400);
  return make("section", { id: anchor("route", route.name), "aria-labelledby": anchor("title", route.name) },
    make("h3", { id: anchor("title", route.name) }, make("code", null, visible(`GET ${route.path}`))),
    make("p", null, described(route.summary), "."),
    route.description ? make("p", null, described(route.description)) : null,
    make("p", null, make("a", { href: "./" + fragment(route.name, examples) }, `Run an example of ${name}`)),
    route.parameters.length ? table(`Parameters of ${name}`, ["Parameter", "In", "Type", "Values", "Meaning", "Example"],
      route.parameters.map(({ name, required, in: place, schema, description, example }) => [
        [make("code", null, visible(name)), required ? make("span", { class: "required" }, " (required)") : null], visible(place),
        typeOf(schema), valuesOf(schema), described(description),
        example === undefined ? "" : make("a", { href: "./" + fragment(route.name, { ...examples, [name]: plainText(example) }) },
          visible(plainText(example)))])) : null,
    make("h4", null, "Answer"), answerParts(name, route.responses),
    make("details", null, make("summary", null, `Problems of ${name}`), table(`Problems of ${name}`, ["Status", "Cause"],
      problems.map(([status, { description }]) => [visible(status),
        String(description ?? "").split("\n\n").map(cause => make("p", null, described(cause)))]))));
}

async function start() {
  byID("status").textContent = "Loading…";
  let api, routes;
  try {
    ({ api, routes } = await loadAPI());
  } catch (error) {
    byID("status").textContent = visible(error.message);
    return;
  }
  [schemas, headers] = [api.components?.schemas ?? {}, api.components?.headers ?? {}];
  const groups = [...tagged(routes)];
  const list = items => make("ul", null, items.map(([href, text]) => make("li", null, make("a", { href }, text))));
  byID("contents").append(
    ...groups.flatMap(([tag, routes]) => [make("h2", null, visible(tag)),
      list(routes.map(route => ["#" + anchor("route", route.name), visible(route.path)]))]),
    make("h2", null, "shared"), list([["#schemas", "Fields of objects"], ["#headers", "Header fields"]]));
  byID("reference").append(
    ...groups.flatMap(([tag, routes]) => [make("h2", null, visible(tag)), ...routes.map(routeSection)]),
    make("h2", { id: "schemas" }, "Fields of objects"),
    ...Object.entries(schemas).map(([name, schema]) => make("section", { id: anchor("schema", name) },
      make("h3", null, visible(name)), schema.description ? make("p", null, described(schema.description)) : null,
      fieldTable(`Fields of ${visible(name)}`, schema))),
    make("h2", { id: "headers" }, "Header fields"),
    table("Header fields", ["Field", "Type", "Meaning"], Object.entries(headers).map(([name, { schema, description }]) => [
      make("code", { id: anchor("header", name) }, visible(name)), typeOf(schema), described(description)])));
  byID("status").textContent = "";
  // The target of a link exists only now.
  if (location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
}

start();
