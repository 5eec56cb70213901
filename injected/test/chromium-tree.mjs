// Reads Chromium's accessibility tree: for every element its ARIA role and its name.

/** Chromium's internal role names as ARIA roles; null for text formatting and labels. */
export const SYNONYMS = {
  image: "img", SvgRoot: "img", DisclosureTriangle: "button", DisclosureTriangleGrouped: "button", Details: "group", Iframe: "iframe", Canvas: "canvas",
  Audio: "audio", Video: "video", Date: "textbox", InputTime: "textbox", DateTime: "textbox", ColorWell: "textbox", LayoutTable: "table",
  LayoutTableRow: "row", LayoutTableCell: "cell", EmbeddedObject: "embed", PluginObject: "object", MathMLMath: "math", Figcaption: "caption",
  Abbr: null, DescriptionList: null, LabelText: null, Legend: null, LineBreak: null, ListMarker: null, MathMLIdentifier: null, MenuListPopup: null,
  Pre: null, RootWebArea: null, Ruby: null,
};

/** Chromium's names have surrounding white space. */
export const squeeze = (text) => (text ?? "").replace(/\s+/g, " ").trim();

/** Numbers all elements of a page with an attribute, through shadow roots. */
export async function numberElements(tab) {
  await tab.evaluate(`(() => { let next = 0; const number = (root) => { for (const el of root.querySelectorAll("*")) {
    el.setAttribute("data-n", next++); if (el.shadowRoot) number(el.shadowRoot); } }; number(document); })()`);
}

/** Chromium's answers: number, tag, whether ignored, role and name. */
export async function chromiumAnswers(tab) {
  const marks = await marksByBackendId(tab);
  return (await tab.chromiumTree()).flatMap(({ ignored, role, name, backendDOMNodeId }) => {
    const mark = marks.get(backendDOMNodeId);
    if (mark === undefined) return [];
    const known = role.value in SYNONYMS ? SYNONYMS[role.value] : role.value;
    return [{ ...mark, ignored, role: known, internal: role.value, name: squeeze(name?.value) }];
  });
}

async function marksByBackendId(tab) {
  const { root } = await tab.cdp.send("DOM.getDocument", { depth: -1, pierce: true });
  const marks = new Map();
  const visit = (node) => {
    const attributes = node.attributes ?? [];
    const at = attributes.indexOf("data-n");
    if (at >= 0) {
      const shown = attributes.slice(0, at).reduce((text, value, i) => text + (i % 2 ? `=${value}` : ` ${value}`), "");
      marks.set(node.backendNodeId, { id: attributes[at + 1], html: `<${node.localName}${shown}>` });
    }
    for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? [])]) visit(child);
  };
  visit(root);
  return marks;
}
