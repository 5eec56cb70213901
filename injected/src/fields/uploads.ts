// File inputs. Pages hide them behind their own buttons; files can be set regardless.

import { allElements } from "../page/flat";
import { is } from "../page/dom";
import { Look } from "../semantics/look";
import { fromBase64 } from "../storage/bytes";
import { resolveNumber } from "../targets/heal";
import { mentionOf } from "../targets/target";
import { announce } from "./field";

/** Removes all files from an input. */
export function clearFiles(args: { num: number }): object {
  const input = resolveNumber(args.num).el as HTMLInputElement;
  if ((input.files?.length ?? 0) > 0) {
    input.value = "";
    announce(input);
  }
  return { left: input.files?.length ?? 0 };
}

/** Sets files whose content comes with this call. */
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
