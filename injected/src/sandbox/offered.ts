// The parts of the web platform that scripts get. Anything not listed is absent: other windows, storage, cookies,
// workers, and code from strings.

/** Members of `window`, in addition to the language and the interfaces. */
export const WINDOW = new Set(
  ("window self globalThis frames parent top length document location history navigator screen visualViewport performance console crypto CSS name " +
    "innerWidth innerHeight outerWidth outerHeight screenX screenY screenLeft screenTop scrollX scrollY pageXOffset pageYOffset devicePixelRatio " +
    "isSecureContext origin closed event getComputedStyle getSelection matchMedia scroll scrollTo scrollBy focus blur find stop " +
    "setTimeout setInterval clearTimeout clearInterval requestAnimationFrame cancelAnimationFrame requestIdleCallback cancelIdleCallback " +
    "queueMicrotask atob btoa fetch alert confirm prompt addEventListener removeEventListener dispatchEvent").split(" "),
);

export const LOCATION = new Set("href origin protocol host hostname port pathname search hash toString assign replace reload".split(" "));

/** Namespace objects. */
export const NAMESPACES: Record<string, Set<string>> = {
  console: new Set("log info warn error debug trace table dir assert count countReset group groupCollapsed groupEnd time timeEnd timeLog".split(" ")),
  CSS: new Set(["escape", "supports"]),
};

/** Refused with these messages, however they are reached. */
export const BLOCKED: Record<string, string> = {
  cookie: "document.cookie",
  cookieStore: "cookieStore",
  localStorage: "localStorage",
  sessionStorage: "sessionStorage",
  eval: "eval",
};

/** Interfaces with power beyond their own object: only these members. */
const SOME: Record<string, string> = {
  EventTarget: "addEventListener removeEventListener dispatchEvent",
  Document:
    "title body head documentElement scrollingElement activeElement readyState URL documentURI referrer lastModified characterSet charset inputEncoding " +
    "contentType compatMode dir doctype forms images links scripts anchors embeds plugins styleSheets adoptedStyleSheets fonts hidden visibilityState timeline " +
    "children firstElementChild lastElementChild childElementCount fullscreenElement pointerLockElement rootElement defaultView " +
    "querySelector querySelectorAll getElementById getElementsByClassName getElementsByTagName getElementsByTagNameNS getElementsByName " +
    "createElement createElementNS createTextNode createComment createDocumentFragment createEvent createRange createTreeWalker createNodeIterator evaluate " +
    "importNode adoptNode append prepend replaceChildren elementFromPoint elementsFromPoint caretRangeFromPoint caretPositionFromPoint hasFocus getSelection " +
    "getAnimations exitFullscreen execCommand queryCommandSupported queryCommandState",
  Element:
    "id className classList slot tagName localName namespaceURI prefix attributes part shadowRoot assignedSlot innerHTML outerHTML innerText role " +
    "getAttribute getAttributeNS getAttributeNames getAttributeNode setAttribute setAttributeNS removeAttribute removeAttributeNS hasAttribute hasAttributeNS hasAttributes toggleAttribute " +
    "children firstElementChild lastElementChild childElementCount previousElementSibling nextElementSibling querySelector querySelectorAll closest matches webkitMatchesSelector " +
    "getElementsByClassName getElementsByTagName getElementsByTagNameNS getBoundingClientRect getClientRects checkVisibility computedStyleMap " +
    "scrollTop scrollLeft scrollWidth scrollHeight clientTop clientLeft clientWidth clientHeight currentCSSZoom scroll scrollTo scrollBy scrollIntoView scrollIntoViewIfNeeded " +
    "append prepend replaceChildren before after replaceWith remove insertAdjacentElement insertAdjacentText insertAdjacentHTML " +
    "attachShadow animate getAnimations requestFullscreen setPointerCapture releasePointerCapture hasPointerCapture elementTiming",
  Range:
    "setStart setEnd setStartBefore setStartAfter setEndBefore setEndAfter collapse selectNode selectNodeContents compareBoundaryPoints cloneRange detach " +
    "isPointInRange comparePoint intersectsNode toString getBoundingClientRect getClientRects commonAncestorContainer cloneContents",
  Navigator:
    "userAgent language languages platform onLine hardwareConcurrency maxTouchPoints vendor vendorSub product productSub appName appVersion appCodeName " +
    "cookieEnabled webdriver deviceMemory doNotTrack pdfViewerEnabled",
  Crypto: "getRandomValues randomUUID subtle",
  SubtleCrypto: "digest",
  HTMLIFrameElement: "src name width height loading allow referrerPolicy align frameBorder",
  HTMLFrameElement: "src name",
  HTMLObjectElement: "data type name width height form",
  HTMLEmbedElement: "src type width height name",
  HTMLScriptElement: "src type text async defer noModule charset crossOrigin integrity event htmlFor",
  HTMLBaseElement: "href target",
};

/** Interfaces that reach no further than their own object: all members. */
const ALL = new RegExp(
  "^(?:Node|CharacterData|Text|Comment|CDATASection|ProcessingInstruction|DocumentType|DocumentFragment|ShadowRoot|Attr|NodeList|HTML(?:\\w*)(?:Collection|Element)|" +
    "RadioNodeList|NamedNodeMap|SVG\\w+|MathMLElement|CSS\\w*|StyleSheet|StyleSheetList|StylePropertyMap\\w*|MediaList|MediaQueryList|FontFace\\w*|" +
    "DOM(?:Rect|Point|Matrix|Quad)\\w*|DOM(?:TokenList|StringMap|StringList|RectList|Exception|Parser)|XMLSerializer|Selection|AbstractRange|StaticRange|CaretPosition|" +
    "TreeWalker|NodeIterator|NodeFilter|XPathResult|(?!Cookie|Storage|Fetch|Extendable|Navigat)\\w*Event|MutationObserver|MutationRecord|ResizeObserver\\w*|IntersectionObserver\\w*|" +
    "Performance\\w*|URL|URLSearchParams|FormData|Blob|File|FileList|FileReader|Headers|Request|Response|AbortController|AbortSignal|TextEncoder|TextDecoder|" +
    "XMLHttpRequest|XMLHttpRequestEventTarget|XMLHttpRequestUpload|ValidityState|DataTransfer\\w*|History|Screen|ScreenOrientation|VisualViewport|" +
    "Animation|AnimationEffect|AnimationTimeline|DocumentTimeline|KeyframeEffect|TimeRanges|MediaError|TextTrack\\w*|VTTCue|VideoPlaybackQuality|" +
    "CanvasRenderingContext2D|CanvasGradient|CanvasPattern|TextMetrics|ImageData|Path2D)$",
);

/** Members that lead out of their object or parse markup, in interfaces that are otherwise offered. */
const NEVER = new Set(
  "contentWindow contentDocument getSVGDocument setHTML setHTMLUnsafe getHTML attachInternals source ports storageArea setNamedItem setNamedItemNS removeNamedItem removeNamedItemNS deleteFromDocument stream body createObjectURL parseHTMLUnsafe nonce".split(" "),
);

/** Whether an interface offers a member to scripts; null for an unknown interface. */
export function offers(name: string): ((member: string) => boolean) | null {
  if (Object.hasOwn(SOME, name)) {
    const members = new Set(SOME[name]!.split(" "));
    return (member) => members.has(member) || /^(?:on|aria)[a-zA-Z]+$/.test(member);
  }
  return ALL.test(name) ? (member) => !NEVER.has(member) : null;
}

export const isInterface = (name: string) => /^[A-Z]/.test(name) && offers(name) !== null;

/** Interfaces that scripts may construct. */
export const MAKES =
  /^(?:\w*Event|EventTarget|(?:Mutation|Resize|Intersection|Performance)Observer|URL|URLSearchParams|FormData|Blob|File|FileReader|Headers|Request|Response|AbortController|Text(?:En|De)coder|DOMParser|XMLSerializer|XMLHttpRequest|DOM(?:Rect|Point|Matrix|Quad)\w*|DOMException|DataTransfer|Image|Option|Audio|Text|Comment|DocumentFragment|Range|CSSStyleSheet|Path2D|ImageData|KeyframeEffect|Animation)$/;

/** Static members. */
export const STATICS: Record<string, string[]> = {
  URL: ["canParse", "parse"],
  AbortSignal: ["abort", "any", "timeout"],
  Response: ["error", "json", "redirect"],
  DOMRect: ["fromRect"],
  DOMPoint: ["fromPoint"],
  DOMMatrix: ["fromMatrix"],
};

/** Constructors whose name differs from their interface. */
export const NAMED_CONSTRUCTORS: Record<string, string> = { Image: "HTMLImageElement", Option: "HTMLOptionElement", Audio: "HTMLAudioElement" };

/** Elements that scripts may create and change. All others are read-only. */
export const ELEMENTS = new Set(
  ("html head body title style address article aside footer header h1 h2 h3 h4 h5 h6 hgroup main nav section search blockquote dd div dl dt figcaption figure hr li " +
    "menu ol p pre ul a abbr b bdi bdo br cite code data dfn em i kbd mark q rp rt ruby s samp small span strong sub sup time u var wbr area audio img map " +
    "track video picture source canvas del ins caption col colgroup table tbody td tfoot th thead tr button datalist fieldset form input label legend meter " +
    "optgroup option output progress select selectedcontent textarea details dialog summary slot template center font big tt strike noscript nobr " +
    "svg g defs symbol use path rect circle ellipse line polyline polygon text tspan textPath image clipPath mask pattern marker linearGradient radialGradient stop desc filter view switch " +
    "math mi mn mo ms mtext mrow mfrac msqrt mroot msub msup msubsup munder mover munderover mtable mtr mtd mspace mstyle semantics").split(" "),
);
