// Runs in our world of every document, after the injected script. It does what WebKitGTK does not do by itself, and tells the host
// which events have reached the document: one word each.
((tell) => {
  if (Object.hasOwn(globalThis, "ciceroneTells")) return;
  Object.defineProperty(globalThis, "ciceroneTells", { value: true });
  const told = (event) => event.isTrusted && tell(event.type);
  for (const type of ["mousemove", "mousedown", "mouseup", "wheel", "keydown", "keyup"]) {
    addEventListener(type, told, { capture: true, passive: true });
  }
  // Only of the main document: a message does not say which frame it is from.
  if (window === window.top) cicerone.moves((url) => tell(`url ${url}`));
  cicerone.drags();
  cicerone.closeSelectPopups();
})((text) => webkit.messageHandlers.cicerone.postMessage(text));
