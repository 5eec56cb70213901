// Elements that contain another document.

import { tag } from "./dom";

/** Whether an element contains a document that receives its input. */
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
