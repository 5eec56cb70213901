// Text at the caret in one go, for engines whose protocol has no such input.

const { execCommand } = Document.prototype;

export function insert(args: { text: string }): object {
  return { taken: execCommand.call(document, "insertText", false, args.text) };
}
