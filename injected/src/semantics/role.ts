// Roles as defined by ARIA 1.2 and HTML-AAM: the first valid token of the role attribute, or the implicit role.
// Elements without semantics are "generic", elements with removed semantics are "none".

import { attr, referenced } from "../page/dom";
import { implicitRole } from "./implicit";
import type { Look } from "./look";
import { focusable } from "./operable";

const ARIA_ROLES = new Set(
  `alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox
  comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic grid
  gridcell group heading img insertion link list listbox listitem log main mark marquee math menu menubar menuitem
  menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio radiogroup
  region row rowgroup rowheader scrollbar search searchbox sectionfooter sectionheader separator slider spinbutton
  status strong subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree treegrid
  treeitem graphics-document graphics-object graphics-symbol`.split(/\s+/),
);

/** The roles of DPUB-ARIA, all prefixed with `doc-`. */
const DOC_ROLES = new Set(
  `abstract acknowledgments afterword appendix backlink biblioentry bibliography biblioref chapter colophon conclusion
  cover credit credits dedication endnote endnotes epigraph epilogue errata example footnote foreword glossary glossref
  index introduction noteref notice pagebreak pagefooter pageheader pagelist part preface prologue pullquote qna subtitle
  tip toc`.split(/\s+/),
);

/** Link roles, DPUB-ARIA included. */
export const LINKS = new Set(["link", "doc-backlink", "doc-biblioref", "doc-glossref", "doc-noteref"]);

/** Interactive roles: their elements need no other sign of being clickable. */
export const INTERACTIVE = new Set(
  [
    ...LINKS,
    ...`button checkbox combobox gridcell listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar searchbox
    slider spinbutton switch tab textbox treeitem`.split(/\s+/),
  ],
);

/** Global ARIA attributes: having one overrides role="none". */
const GLOBAL_ARIA = [
  "aria-atomic", "aria-busy", "aria-controls", "aria-current", "aria-describedby", "aria-description", "aria-details",
  "aria-dropeffect", "aria-flowto", "aria-grabbed", "aria-keyshortcuts", "aria-label", "aria-labelledby", "aria-live",
  "aria-owns", "aria-relevant", "aria-roledescription",
];

export function roleOf(el: Element, look: Look): string {
  const facts = look.facts(el);
  return (facts.role ??= computeRole(el, look));
}

function computeRole(el: Element, look: Look): string {
  const explicit = look.facts(el).bare ? null : explicitRole(el);
  if (explicit === null) return implicitRole(el, look);
  if (explicit !== "none") return explicit;
  const contradicted = focusable(el) || GLOBAL_ARIA.some((name) => attr(el, name));
  return contradicted ? implicitRole(el, look) : "none";
}

/** The first valid token of the role attribute, synonyms normalized. */
export function explicitRole(el: Element): string | null {
  const tokens = attr(el, "role");
  if (!tokens) return null;
  for (const token of tokens.toLowerCase().split(/\s+/)) {
    if (token === "presentation") return "none";
    if (token === "image") return "img";
    if (token === "directory") return "list";
    // Regions and forms need a name to be landmarks; without one the next token counts.
    if ((token === "region" || token === "form") && !namedByAuthor(el)) continue;
    if (ARIA_ROLES.has(token) || (token.startsWith("doc-") && DOC_ROLES.has(token.slice(4)))) return token;
  }
  return null;
}

export function namedByAuthor(el: Element): boolean {
  return !!(referenced(el, "aria-labelledby").length > 0 || attr(el, "aria-label")?.trim() || attr(el, "title")?.trim());
}
