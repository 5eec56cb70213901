// Elements that show another document.

import { tag } from "./dom";

/** Whether an element shows a document of its own, to which all input on it goes. */
export function holdsDocument(el: Element): boolean {
  switch (tag(el)) {
    case "iframe":
    case "frame":
      return true;
    case "object":
    case "embed":
      return Boolean((el as HTMLObjectElement).contentWindow);
    default:
      return false;
  }
}
