"use strict";
// What both pages share. Text of upstreams, header fields and configurations only ever becomes text nodes.

const byID = id => document.getElementById(id);

/** Makes an element; functions are listeners, `true` is an attribute without a value, and strings become text. */
function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes ?? {})) {
    if (typeof value === "function") element.addEventListener(key, value);
    else if (value !== false && value != null) element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat(Infinity).filter(child => child != null));
  return element;
}

/** Characters without a shape of their own: controls, directions of text, spaces of no width, lone surrogates. */
const shapeless = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u034f\u115f\u1160\u3164\uffa0]/gu;

/** Returns a text on one line in which shapeless characters show as their numbers. */
function visible(text) {
  return String(text).replace(shapeless, c => "\\u" + c.codePointAt(0).toString(16).padStart(4, "0"));
}

/** Returns a text of several lines for readers; joined emoji stay whole. */
function readable(text) {
  return String(text).replace(shapeless, c => c === "\n" || c === "\u200d" ? c : visible(c));
}

/** Returns a link if the text is a URL of the web, and the text otherwise. */
function linked(text, label = visible(text)) {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return label;
  const url = new URL(text);
  if (url.protocol !== "http:" && url.protocol !== "https:") return label;
  return make("a", { href: url.href, rel: "noopener noreferrer nofollow" }, label);
}

/** Returns a text of a description, in which words between backquotes are code. */
function described(text) {
  return String(text ?? "").split("`").map((part, i) => i % 2 ? make("code", null, visible(part)) : visible(part));
}

/** Returns a value for a path or a query; also the characters that shells and curl would read are escaped. */
function escaped(value) {
  return encodeURIComponent(value.toWellFormed?.() ?? value)
    .replace(/[!'()*]/g, c => "%" + c.charCodeAt(0).toString(16).toUpperCase());
}

/** Returns the fragment of the explorer that stands for a request. */
function fragment(name, values) {
  const pairs = Object.entries(values).map(([key, value]) => `${escaped(key)}=${escaped(value)}`);
  return "#" + escaped(name) + (pairs.length ? "?" + pairs.join("&") : "");
}

/** The text of an example or of a default; lists are written with commas. */
const plainText = value => Array.isArray(value) ? value.join(",") : String(value);

/** Loads the description of the API, from which both pages are made. */
async function loadAPI() {
  const response = await fetch("openapi.json");
  if (!response.ok) throw new Error(`The description of the API answers ${response.status}.`);
  const api = await response.json();
  if (api.paths["/-/status"]) document.querySelector("nav").append(" ", make("a", { href: "-/status" }, "Status"));
  byID("version").textContent = visible(api.info?.version ?? "");
  const routes = Object.entries(api.paths).filter(([, item]) => item.get).map(([path, { get }]) => ({
    path, name: get.operationId, summary: get.summary ?? "", description: get.description ?? "",
    tags: get.tags ?? [], parameters: get.parameters ?? [], responses: get.responses ?? {},
  }));
  return { api, routes };
}

/** Returns the routes by their first tags, in the order of the description. */
function tagged(routes) {
  const groups = new Map();
  for (const route of routes) {
    const tag = route.tags[0] ?? "routes";
    groups.set(tag, [...groups.get(tag) ?? [], route]);
  }
  return groups;
}

/** The examples of the required parameters: a request that the demo answers. */
function exampleValues(route) {
  return Object.fromEntries(route.parameters.filter(p => p.required && p.example != null)
    .map(p => [p.name, plainText(p.example)]));
}
