(listenersOf) => {
  // All elements in the order of the document, those in open shadow roots after their host. Without `listenersOf` they are
  // what is returned; with it the places of those that listen to the pointer, and of those that listen to what is typed.
  const POINTER = ["click", "dblclick", "mousedown", "mouseup", "pointerdown", "pointerup", "touchstart", "contextmenu", "auxclick"];
  const TYPING = ["input", "beforeinput", "keydown", "keypress", "keyup"];
  // An element with so many is where a framework hears of everything, and no place to click.
  const FRAMEWORK = 40;
  const all = [];
  const walk = (root) => {
    for (const element of root.querySelectorAll("*")) {
      all.push(element);
      if (element.shadowRoot) walk(element.shadowRoot);
    }
  };
  walk(document);
  if (!listenersOf) return all;
  const pointer = [];
  const typing = [];
  all.forEach((element, place) => {
    const listeners = listenersOf(element);
    const types = Object.keys(listeners);
    if (types.length === 0 || types.length >= FRAMEWORK) return;
    if (types.some((type) => POINTER.includes(type))) pointer.push(place);
    if (types.some((type) => TYPING.includes(type))) typing.push(place);
  });
  return [pointer, typing];
}
