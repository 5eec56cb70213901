// Safe DOM access that everything else builds on.
//
// Reads go through getters captured from the prototypes, because named form fields shadow the properties of their form
// (and of the document): with <form><input name="parentNode"></form>, `form.parentNode` is the input. A page could make
// a tree walk loop with that.

function getterOf(prototype: object, property: string): () => unknown {
  return Object.getOwnPropertyDescriptor(prototype, property)!.get!;
}

const nodeType = getterOf(Node.prototype, "nodeType");
const parent = getterOf(Node.prototype, "parentNode");
const first = getterOf(Node.prototype, "firstChild");
const next = getterOf(Node.prototype, "nextSibling");
const connected = getterOf(Node.prototype, "isConnected");
const content = getterOf(Node.prototype, "textContent");
const firstElement = getterOf(Element.prototype, "firstElementChild");
const localName = getterOf(Element.prototype, "localName");
const shadow = getterOf(Element.prototype, "shadowRoot");
const [scrollLeft, scrollTop] = [getterOf(Element.prototype, "scrollLeft"), getterOf(Element.prototype, "scrollTop")];
const [scrollWidth, scrollHeight] = [getterOf(Element.prototype, "scrollWidth"), getterOf(Element.prototype, "scrollHeight")];
const [clientWidth, clientHeight] = [getterOf(Element.prototype, "clientWidth"), getterOf(Element.prototype, "clientHeight")];
const slotOfElement = getterOf(Element.prototype, "assignedSlot");
const slotOfText = getterOf(Text.prototype, "assignedSlot");
const { getAttribute, hasAttribute, getAttributeNames, getClientRects, getBoundingClientRect } = Element.prototype;
const { matches, closest, querySelector, querySelectorAll: querySelectorAllIn } = Element.prototype;
const { dispatchEvent } = EventTarget.prototype;
const { getRootNode, contains: containsNode } = Node.prototype;
const { querySelectorAll, getElementById, elementFromPoint, evaluate } = Document.prototype;
const { querySelectorAll: queryFragment } = DocumentFragment.prototype;
const active = getterOf(Document.prototype, "activeElement");
const rootElement = getterOf(Document.prototype, "documentElement");
const title = getterOf(Document.prototype, "title");
const sheets = getterOf(Document.prototype, "styleSheets");
// Not available in every engine.
const adoptedSheets = Object.getOwnPropertyDescriptor(Document.prototype, "adoptedStyleSheets")?.get;
const { getAnimations } = Document.prototype;
const innerText = getterOf(HTMLElement.prototype, "innerText");

/** A document or shadow root: the scope of ids, selectors and hit tests. */
export type Root = Document | ShadowRoot;

export const isElement = (node: Node | null): node is Element => node !== null && nodeType.call(node) === 1;
/**
 * The target of an event, if it is an element. Not by `instanceof`: the first documents of a frame may share a window, but
 * not its classes.
 */
export const asElement = (target: EventTarget | null | undefined): Element | null =>
  target && "nodeType" in target && isElement(target as Node) ? (target as Element) : null;
export const isText = (node: Node): node is Text => nodeType.call(node) === 3;
export const isShadowRoot = (node: Node): node is ShadowRoot => nodeType.call(node) === 11;

export const parentNode = (node: Node) => parent.call(node) as ParentNode | null;
export const firstChild = (node: Node) => first.call(node) as ChildNode | null;
export const nextSibling = (node: Node) => next.call(node) as ChildNode | null;
export const firstElementChild = (el: Element) => firstElement.call(el) as Element | null;
export const isConnected = (node: Node) => connected.call(node) as boolean;
export const textContent = (node: Node) => (content.call(node) as string | null) ?? "";
/** The text of an HTML element as it is rendered; of another one all its text. */
export const renderedText = (el: Element) => (el instanceof HTMLElement ? (innerText.call(el) as string) : textContent(el));
export const rootOf = (node: Node) => getRootNode.call(node) as Root;
export const holds = (ancestor: Node, node: Node) => containsNode.call(ancestor, node);

/** The tag name in lower case, without a namespace prefix. */
export const tag = (el: Element) => localName.call(el) as string;
export const attr = (el: Element, name: string) => getAttribute.call(el, name) as string | null;
export const has = (el: Element, name: string) => hasAttribute.call(el, name);
export const attributeNames = (el: Element) => getAttributeNames.call(el) as string[];
export const is = (el: Element, selector: string) => matches.call(el, selector);
export const contains = (el: Element, selector: string) => querySelector.call(el, selector) !== null;
export const nearest = (el: Element, selector: string) => closest.call(el, selector) as Element | null;
export const openShadow = (el: Element) => shadow.call(el) as ShadowRoot | null;
export const assignedSlot = (node: Element | Text) =>
  (isText(node) ? slotOfText.call(node) : slotOfElement.call(node)) as HTMLSlotElement | null;

export const rectOf = (el: Element) => getBoundingClientRect.call(el) as DOMRect;
export const rectsOf = (el: Element) => Array.from(getClientRects.call(el) as DOMRectList);

export function query(root: Root, selector: string): Element[] {
  const found = isShadowRoot(root) ? queryFragment.call(root, selector) : querySelectorAll.call(root, selector);
  return Array.from(found as NodeListOf<Element>);
}

export const queryIn = (el: Element, selector: string): Element[] => Array.from(querySelectorAllIn.call(el, selector) as NodeListOf<Element>);

function byId(root: Root, id: string): Element | null {
  if (isShadowRoot(root)) return root.getElementById(id);
  return nodeType.call(root) === 9 ? (getElementById.call(root, id) as Element | null) : null;
}

export function atPoint(root: Root, x: number, y: number): Element | null {
  if (isShadowRoot(root)) return root.elementFromPoint(x, y);
  return elementFromPoint.call(root, x, y) as Element | null;
}

export const activeIn = (root: Root) =>
  (isShadowRoot(root) ? root.activeElement : active.call(root)) as Element | null;
export const pageRoot = () => rootElement.call(document) as HTMLElement | null;
export const pageTitle = () => title.call(document) as string;

export function sheetsOf(root: Root): CSSStyleSheet[] {
  if (isShadowRoot(root)) return [...Array.from(root.styleSheets), ...adopted(root.adoptedStyleSheets)];
  return [...Array.from(sheets.call(root) as StyleSheetList), ...adopted(adoptedSheets?.call(root) as CSSStyleSheet[] | undefined)];
}

/** Firefox's Xray wrappers: `wrappedJSObject` is the page's own object. */
type Waivable<T> = { wrappedJSObject?: T };
declare const XPCNativeWrapper: <T>(waived: T) => T;

/**
 * Before version 153, Firefox shows sandboxes an empty object instead of an observable array; its items are on the
 * unwrapped object.
 */
function adopted(list: CSSStyleSheet[] | undefined): CSSStyleSheet[] {
  if (!list) return [];
  if (typeof list[Symbol.iterator] === "function") return Array.from(list);
  const behind = (list as Waivable<CSSStyleSheet[]>).wrappedJSObject;
  return Array.from({ length: behind?.length ?? 0 }, (_, index) => XPCNativeWrapper(behind![index]!));
}

export const animationsIn = (root: Root): Animation[] =>
  isShadowRoot(root) ? root.getAnimations() : getAnimations.call(root);

export const scrollIntoView = (el: Element, options: ScrollIntoViewOptions) => Element.prototype.scrollIntoView.call(el, options);
export const scrollTo = (el: Element, options: ScrollToOptions) => (Element.prototype.scrollTo as (options: ScrollToOptions) => void).call(el, options);
export const scrollPosition = (el: Element) => ({ x: scrollLeft.call(el) as number, y: scrollTop.call(el) as number });
/** The maximum scroll offsets of an element. */
export const scrollRoom = (el: Element) => ({
  x: (scrollWidth.call(el) as number) - (clientWidth.call(el) as number),
  y: (scrollHeight.call(el) as number) - (clientHeight.call(el) as number),
});
export const styleOf = (el: Element) => window.getComputedStyle(el);
export const dispatch = (el: Element, event: Event) => dispatchEvent.call(el, event);

/**
 * Focuses an element; does nothing for elements without `focus` (plain XML). The methods check the element's kind:
 * `instanceof` fails for elements of a document that a script wrote into this window.
 */
export function giveFocus(el: Element): void {
  for (const { focus } of [HTMLElement.prototype, SVGElement.prototype]) {
    try {
      return focus.call(el as HTMLElement & SVGElement);
    } catch {
      // Not of this kind.
    }
  }
}

/** The elements that an XPath expression selects, starting at a node. */
export function xpath(expression: string, from: Node = document): Element[] {
  const ordered = evaluate.call(document, expression, from, null, 7, null) as XPathResult;
  const found: Element[] = [];
  for (let i = 0; i < ordered.snapshotLength; i++) {
    const node = ordered.snapshotItem(i);
    if (isElement(node)) found.push(node);
  }
  return found;
}

/** The elements that an IDREF attribute (aria-labelledby …) references. */
export function referenced(el: Element, attribute: string): Element[] {
  const ids = attr(el, attribute);
  if (ids === null) return [];
  // Elements set by script through ARIA reflection, perhaps of another root, leave the attribute empty.
  if (ids === "") return Array.from(reflected(el, attribute) ?? []);
  const root = rootOf(el);
  return ids.split(/\s+/).flatMap((id) => (id ? (byId(root, id) ?? []) : []));
}

const REFLECTIONS: Record<string, string> = {
  "aria-labelledby": "ariaLabelledByElements",
  "aria-describedby": "ariaDescribedByElements",
  "aria-owns": "ariaOwnsElements",
};

function reflected(el: Element, attribute: string): Element[] | null {
  const property = REFLECTIONS[attribute];
  const elements = property && (el as unknown as Record<string, unknown>)[property];
  return Array.isArray(elements) ? elements : null;
}
