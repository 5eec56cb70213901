// File inputs: pages hide them behind buttons of their own, and files can be given to them all the same.

import { allElements } from "../page/flat";
import { is } from "../page/dom";
import { Look } from "../semantics/look";
import { fromBase64 } from "../storage/bytes";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";
import { announce } from "./field";

/** Takes all files out of a field. */
export function clearFiles(args: { num: number }): object {
  const input = resolveNumber(args.num).el as HTMLInputElement;
  if ((input.files?.length ?? 0) > 0) {
    input.value = "";
    announce(input);
  }
  return { left: input.files?.length ?? 0 };
}

/** Puts files into a field that are nowhere but in this call. */
export function attach(args: { num: number; files: { name: string; type: string; base64: string }[] }): object {
  const input = resolveNumber(args.num).el as HTMLInputElement;
  const carrier = new DataTransfer();
  for (const { name, type, base64 } of args.files) carrier.items.add(new File([fromBase64(base64)], name, { type }));
  setFiles.call(input, carrier.files);
  const names = Array.from(input.files ?? [], ({ name }) => name);
  announce(input);
  return { names };
}

const setFiles = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "files")!.set!;

export function uploads(): object {
  const look = new Look();
  const inputs = allElements().filter((el) => is(el, "input[type=file]")) as HTMLInputElement[];
  return {
    inputs: inputs.map((input) => {
      const { num, name } = mentionOf(input, look);
      const visible = look.rendered(input) && look.facts(input).visible;
      return { num, name, multiple: input.multiple, visible, accept: input.accept };
    }),
  };
}
