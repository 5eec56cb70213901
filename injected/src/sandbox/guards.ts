// Checks on what a script does to the page: nothing that would make the page run text of the script as code, however it
// is written.

import { blocked } from "./intrinsics";
import { callback, page } from "./membrane";
import { ELEMENTS } from "./offered";

const getter = (prototype: object, name: string) => {
  const get = Reflect.getOwnPropertyDescriptor(prototype, name)!.get!;
  return (of: object) => Reflect.apply(get, of, []) as any;
};
const nodeType = getter(Node.prototype, "nodeType");
const parentNode = getter(Node.prototype, "parentNode");
const firstChild = getter(Node.prototype, "firstChild");
const nextSibling = getter(Node.prototype, "nextSibling");
const ownerDocument = getter(Node.prototype, "ownerDocument");
const localName = getter(Element.prototype, "localName");
const namespaceOf = getter(Element.prototype, "namespaceURI");
const attributesOf = getter(Element.prototype, "attributes");
const shadowOf = getter(Element.prototype, "shadowRoot");
const contentOf = getter(HTMLTemplateElement.prototype, "content");
const baseOf = getter(Node.prototype, "baseURI");
const setInnerHTML = Reflect.getOwnPropertyDescriptor(Element.prototype, "innerHTML")!.set!;
const { replaceChildren, before, after, prepend, append, remove } = Element.prototype;
const { createElementNS } = Document.prototype;

const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && value instanceof Node;
const isElement = (value: unknown): value is Element => isNode(value) && nodeType(value) === 1;

/** Elements that run, contain or redirect code are read-only. */
function changeable(node: Node | null): void {
  if (node !== null && isElement(node) && !isKnown(localName(node))) throw blocked(`changing <${localName(node)}>`);
}

/** A script that is inserted again might run. */
function movable(node: unknown): void {
  if (isElement(node) && localName(node).toLowerCase() === "script") throw blocked("moving <script>");
}

/** Where an editing command works. */
function selectedElements(): Array<Node | null> {
  const selection = (page.document as Document).getSelection();
  const ends = selection ? [selection.anchorNode, selection.focusNode] : [];
  return ends.map((node) => (node === null || isElement(node) ? node : (parentNode(node) as Node | null)));
}

const isKnown = (name: string) => ELEMENTS.has(name) || (/^[a-z][^:]*-/.test(name) && !name.startsWith("font-") && !name.startsWith("color-"));

/** Checks a URL that the script assigns. */
function checkUrl(url: string, what: string, follows: boolean): void {
  let parsed: URL;
  try {
    parsed = new page.URL(url, baseOf(page.document) as string) as URL;
  } catch {
    return;
  }
  const scheme = parsed.protocol;
  const within = parsed.href.split("#")[0] === (page.location.href as string).split("#")[0];
  const allowed = follows ? within || /^(?:https?|mailto|tel|sms|ftp):$/.test(scheme) : !/^(?:javascript|vbscript):$/.test(scheme);
  if (!allowed) throw blocked(`${what} with ${scheme}`);
}

const URL_PART = /^(?:search|hash|host|hostname|port|pathname|username|password)$/;
const FOLLOWED = /^(?:href|action|formaction)$/;
const LOADED = /^(?:src|data|poster|background|cite|ping|longdesc|manifest|usemap|codebase|icon|srcset)$/;

function checkAttribute(name: string, value: string): void {
  const local = name.toLowerCase().replace(/^.*:/s, "");
  if (local.startsWith("on")) throw blocked(`the attribute ${local}`);
  if (local === "srcdoc" || local === "http-equiv" || local === "attributename") throw blocked(`the attribute ${local}`);
  if (FOLLOWED.test(local)) checkUrl(value, local, true);
  if (LOADED.test(local)) checkUrl(value, local, false);
}

/** Checks a tree before it is inserted into the page. */
function checkTree(root: Node): void {
  const left: Node[] = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    if (isElement(node)) {
      if (!isKnown(localName(node))) throw blocked(`<${localName(node)}>`);
      for (const { localName: name, value } of Array.from(attributesOf(node) as NamedNodeMap)) checkAttribute(name, value);
      if (node instanceof HTMLTemplateElement) left.push(contentOf(node));
      const shadow = shadowOf(node) as ShadowRoot | null;
      if (shadow) left.push(shadow);
    }
    for (let child = firstChild(node); child; child = nextSibling(child)) left.push(child);
  }
}

const isElsewhere = (node: Node) => (nodeType(node) === 9 ? node : ownerDocument(node)) !== page.document;

/** Parses markup in the context of an element; returns checked nodes. */
function parsed(markup: string, inside: Element): Node[] {
  const inert = (page.document as Document).implementation.createHTMLDocument("");
  const context = Reflect.apply(createElementNS, inert, [namespaceOf(inside), localName(inside)]) as Element;
  Reflect.apply(setInnerHTML, context, [markup]);
  const root: Node = context instanceof HTMLTemplateElement ? contentOf(context) : context;
  const nodes: Node[] = [];
  for (let child = firstChild(root); child; child = nextSibling(child)) nodes.push(child);
  nodes.forEach(checkTree);
  return nodes;
}

const context = (node: Node | null): Element => (isElement(node) ? node : (page.document as Document).createElement("body"));

function setMarkup(self: Node, name: string, markup: string): void {
  if (name === "outerHTML") {
    const parent = parentNode(self) as Node | null;
    if (!parent) return;
    changeable(parent);
    const nodes = parsed(markup, context(parent));
    Reflect.apply(before, self, nodes);
    Reflect.apply(remove, self, []);
    return;
  }
  changeable(self);
  const inside = isElement(self) ? self : context((self as ShadowRoot).host);
  const nodes = parsed(markup, inside);
  if (isElement(self)) Reflect.apply(replaceChildren, self instanceof HTMLTemplateElement ? contentOf(self) : self, nodes);
  else (self as ShadowRoot).replaceChildren(...nodes);
}

function insertMarkup(self: Element, where: string, markup: string): void {
  const outside = /^(?:beforebegin|afterend)$/i.test(where);
  const parent = outside ? (parentNode(self) as Node | null) : self;
  changeable(parent);
  const nodes = parsed(markup, context(parent));
  const put = { beforebegin: before, afterbegin: prepend, beforeend: append, afterend: after }[where.toLowerCase()];
  if (!put) throw new SyntaxError(`'${where}' is not a position`);
  Reflect.apply(put, self, nodes);
}

const CHANGES_CHILDREN =
  /^(?:appendChild|insertBefore|replaceChild|append|prepend|replaceChildren|insertAdjacentElement|insertAdjacentText|normalize)$/;
const CHANGES_PARENT = /^(?:before|after|replaceWith|insertAdjacentElement|insertAdjacentText)$/;
const CHANGES_TEXT = /^(?:appendData|insertData|deleteData|replaceData|splitText)$/;
const COMMANDS = /^(?:copy|cut|delete|forwardDelete|insertText|insertParagraph|selectAll|undo|redo|bold|italic|underline)$/i;

/** Checks a call. String arguments are converted once, so that the checked value is the used value. */
export function guardCall(of: string, name: string, self: object, args: any[], given: unknown[]): (() => unknown) | void {
  const text = (at: number): string => (args[at] = String(args[at]));
  switch (name) {
    case "setTimeout":
    case "setInterval":
      if (typeof given[0] !== "function") throw blocked(`${name} with a text`);
      return;
    case "addEventListener":
    case "removeEventListener":
      args[1] = listener(given[1]);
      return;
    case "createTreeWalker":
    case "createNodeIterator":
      if (args.length > 2) args[2] = filter(given[2]);
      return;
    case "evaluate":
      if (args.length > 2) args[2] = null;
      break;
    case "createElement":
      if (of === "Document" && !isKnown(text(0).toLowerCase())) throw blocked(`<${text(0).toLowerCase()}>`);
      return;
    case "createElementNS":
      if (!isKnown(text(1).replace(/^.*:/s, "")) && !isKnown(text(1).replace(/^.*:/s, "").toLowerCase())) throw blocked(`<${text(1)}>`);
      if (/script/i.test(text(1))) throw blocked(`<${text(1)}>`);
      return;
    case "execCommand":
      if (!COMMANDS.test(text(0))) throw blocked(`execCommand ${text(0)}`);
      if (!/^(?:copy|selectAll)$/i.test(args[0])) selectedElements().forEach(changeable);
      return;
    case "assign":
    case "replace":
      if (of === "Location") checkUrl(text(0), "location", true);
      return;
    case "attachShadow":
      if (isElsewhere(self as Node)) throw blocked("attachShadow in another document");
      break;
  }
  if (!isNode(self)) return guardCollection(of, name, args);
  if (isElement(self)) {
    if (/^(?:set|remove|toggle)Attribute(?:NS)?$/.test(name)) {
      changeable(self);
      const at = name.endsWith("NS") ? 1 : 0;
      checkAttribute(text(at), name.startsWith("set") ? text(at + 1) : "");
      return;
    }
    if (name === "insertAdjacentHTML") return () => insertMarkup(self, text(0), text(1));
  }
  if (CHANGES_CHILDREN.test(name) || CHANGES_PARENT.test(name)) args.forEach(movable);
  if (CHANGES_CHILDREN.test(name)) changeable(self);
  if (CHANGES_PARENT.test(name) || CHANGES_TEXT.test(name)) changeable(parentNode(self));
  if (!isElsewhere(self)) args.filter((arg) => isNode(arg) && isElsewhere(arg)).forEach(checkTree);
}

function guardCollection(of: string, name: string, args: unknown[]): void {
  if (of === "HTMLOptionsCollection" && name === "add") args.filter(isNode).filter(isElsewhere).forEach(checkTree);
}

/** Wraps a script's event listener. */
function listener(wanted: unknown): unknown {
  if (wanted === null || wanted === undefined) return null;
  if (typeof wanted === "function") return callback(wanted as () => unknown);
  const object = wanted as { handleEvent?: unknown };
  let known = handlers.get(object);
  if (!known) {
    known = (event: unknown) => (object.handleEvent as (event: unknown) => unknown)(event);
    handlers.set(object, known);
  }
  return callback(known);
}
const handlers = new WeakMap<object, (...args: unknown[]) => unknown>();

function filter(wanted: unknown): unknown {
  if (wanted === null || wanted === undefined) return null;
  if (typeof wanted === "function") return callback(wanted as () => unknown);
  const object = wanted as { acceptNode?: unknown };
  return callback((node: unknown) => (object.acceptNode as (node: unknown) => unknown)(node));
}

/** Checks an assignment: returns the value to assign, or that it is done. */
export function guardWrite(of: string, name: string, self: object, value: unknown): { value: unknown } | "done" {
  if (of === "Location" || (name === "location" && (of === "Window" || of === "Document"))) {
    if (name === "protocol") throw blocked("changing location.protocol");
    const text = String(value);
    if (name === "href" || name === "location") checkUrl(text, "location", true);
    return { value: text };
  }
  // Names of a data set are data.
  if (of !== "DOMStringMap" && /^on[a-z]+$/.test(name)) return { value: typeof value === "function" ? value : null };
  if (of === "SVGAnimatedString" || (isNode(self) && nodeType(self) === 2)) throw blocked(`setting ${of}.${name}`);
  if (!isNode(self)) {
    if (isNode(value) && isElsewhere(value)) checkTree(value);
    return { value };
  }
  if (isNode(value) && isElsewhere(value) && !isElsewhere(self)) checkTree(value);
  if (name === "innerHTML" || name === "outerHTML") {
    setMarkup(self, name, value === null ? "" : String(value));
    return "done";
  }
  if (!isElement(self)) {
    changeable(parentNode(self));
    return { value };
  }
  if (name === "scrollTop" || name === "scrollLeft") return { value };
  changeable(self);
  if (name === "outerText") changeable(parentNode(self));
  if (name === "protocol") throw blocked("changing a link's protocol");
  // A part of a URL keeps its scheme.
  if (URL_PART.test(name) && /^HTML(?:Anchor|Area)Element$/.test(of)) checkUrl((self as HTMLAnchorElement).href, name, true);
  if (name === "srcObject" || typeof value === "function") return { value };
  const property = name.toLowerCase();
  if (FOLLOWED.test(property) || LOADED.test(property) || property === "srcdoc") {
    const text = String(value);
    checkAttribute(property, text);
    return { value: text };
  }
  return { value };
}
