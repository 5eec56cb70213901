// An element in an HTML snapshot: its tag and the attributes relevant for actions. States are current, not as in the
// source.

import { attr, has, tag } from "../page/dom";
import { clean, shorten } from "../page/text";
import type { Look } from "../semantics/look";
import { nameOf } from "../semantics/name";
import type { Props } from "./props";
import type { TreeNode } from "./tree";

export interface Markup {
  tag: string;
  attributes: [name: string, value: string][];
  /** Its text, if no node below it has it. */
  text?: string;
}

type Attributes = Map<string, string>;

const LIMIT = 1_000;

export function markupOf(node: TreeNode, el: Element, look: Look): Markup {
  const name = tag(el);
  const props = node.props ?? {};
  const attributes: Attributes = new Map();
  for (const written of WRITTEN[name] ?? ALWAYS) {
    const value = attr(el, written);
    if (value !== null) attributes.set(written, value);
  }
  const text = ownText(node, name, el, look);
  tellValue(name, props, attributes, text);
  addName(node, name, el, text, look, attributes);
  tellStates(name, props, attributes);
  const markup: Markup = { tag: name, attributes: Array.from(attributes, ([key, value]) => [key, shorten(clean(value), LIMIT)]) };
  if (text) markup.text = text;
  return markup;
}

/** Attributes that are always included. */
const ALWAYS = ["id", "role", "name"];
const WRITTEN: Record<string, string[]> = Object.fromEntries(
  Object.entries({
    a: "href", area: "href", input: "type placeholder min max step", textarea: "placeholder", iframe: "src", frame: "src",
    form: "action", progress: "max", meter: "min max",
  }).map(([name, own]) => [name, [...ALWAYS, ...own.split(" ")]]),
);

/** The text of an element that has text but no nodes below it. */
function ownText(node: TreeNode, name: string, el: Element, look: Look): string {
  if (name === "textarea") return node.props?.value ?? "";
  if (node.children.length > 0 || name === "input" || name === "select") return "";
  return name === "option" || nameOf(el, look).from === "content" ? node.name : "";
}

function tellValue(name: string, props: Props, attributes: Attributes, text: string): void {
  if (props.files?.length) attributes.set("value", props.files.join(", "));
  else if (!props.value || text || name === "select") return;
  else if (name === "input" || name === "progress" || name === "meter") attributes.set("value", props.value);
  else if (props.valuemax !== undefined || props.valuemin !== undefined) attributes.set("aria-valuenow", props.value);
}

const BUTTONS = new Set(["button", "submit", "reset"]);

/** Adds the name, if neither text nor another attribute shows it. */
function addName(node: TreeNode, name: string, el: Element, text: string, look: Look, attributes: Attributes): void {
  if (name === "img" || name === "area") {
    if (node.name || has(el, "alt")) attributes.set("alt", node.name);
    return;
  }
  if (!node.name || name === "option" || text === node.name || attributes.get("placeholder") === node.name) return;
  const input = el as HTMLInputElement;
  if (name === "input" && BUTTONS.has(input.type) && clean(input.value) === node.name) {
    attributes.set("value", node.name);
    return;
  }
  const { from } = nameOf(el, look);
  const told = (from === "content" || from === "") && squeezed(node.name) === squeezed(textBelow(node));
  if (!told) attributes.set("aria-label", node.name);
}

/** All text of the nodes below. */
function textBelow(node: TreeNode): string {
  return node.children.map((child) => (child.children.length > 0 ? textBelow(child) : child.name)).join("");
}

function squeezed(text: string): string {
  return text.replace(/\s+/g, "");
}

const NATIVE = new Set(["input", "select", "textarea", "option", "button"]);

function tellStates(name: string, props: Props, attributes: Attributes): void {
  const native = NATIVE.has(name);
  const state = (key: string, holds: true | "mixed" | undefined) => {
    if (holds === true && native) attributes.set(key, "");
    else if (holds) attributes.set(`aria-${key}`, String(holds));
  };
  state("checked", props.checked);
  state("disabled", props.disabled);
  state("selected", props.selected);
  state("required", props.required);
  state("readonly", props.readonly);
  if (props.expanded !== undefined) attributes.set("aria-expanded", String(props.expanded));
  if (props.pressed) attributes.set("aria-pressed", String(props.pressed));
  if (props.current) attributes.set("aria-current", String(props.current));
  if (props.invalid) attributes.set("aria-invalid", "true");
  if (props.modal) attributes.set("aria-modal", "true");
  if (props.hidden) attributes.set("hidden", "");
}
