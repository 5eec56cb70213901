// Meaningful words in class names, ids and file names. `btn btn-icon js-delete-item_x7Yz2` yields "delete".

/** Words of layout, styling and libraries. */
const MEANINGLESS = new Set(
  `abs absolute action actions activated active after align alt anim animate animated ant anticon any app area aria aspect asset
  assets auto awesome bar base basic basis before between bg big bind black block blue body border box brand break btn btns
  button buttons bx bxs card cards cdk cell cells center centered chakra child circle class clear clearfix click clickable
  cls codicon col color cols column columns common compact component components contain container content control controls
  cover css cursor custom cyan dark data default dense disabled display div dom duration ease elem element elevated emotion
  empty enabled end entry even events expand fab fade fal far fas feather fill filled first fit fixed flat flex float flow
  focus focusable font form full fullwidth generic ghost glyph glyphicon gray green grey grid group grow gutter half has
  height heroicon hidden hide horizontal hover html icn ico icon iconfont icons image images img imgs inactive indigo inline
  inner input inset inside instance internal invisible ion ionicon item items jss jsx justify large last lay layer layout
  lead leading lib light line lines lucide main mantine margin mask mat material max mdc mdi medium mid middle min mini mod
  module mui narrow nested neutral normal not nowrap object octicon odd off offset opacity orange outer outline outlined
  outside overflow overlay pad padded padding page part picture pink place plain pointer position primary properties pseudo
  pure purple radius radix react red ref regular relative remixicon render responsive ring root round rounded row rows safe
  scale screen script secondary section selectable self semi sep shadow shape sharp shrink side simple single size sized slot
  small solid space spacing span sprite sprites src stack static stick sticky stroke style styled styles success svelte svg
  svgs symbol symbols tabler tag tailwind template tertiary test testid text theme tile tiny tip tippy title toggleable touch
  track tracking transform transition translate transparent true truncate typcn type typography ui underline unit unstyled
  use util utils valign value variant vertical view violet visible vue web weight white widget width with wrap wrapped
  wrapper yellow`
    .split(/\s+/),
);

/** Directions are meaningful only with a noun: `chevron-left`, not `pull-left`. */
const WEAK = new Set(["bottom", "down", "end", "left", "right", "start", "top", "up", "alt", "circle", "line", "square", "thin", "thick"]);

/** Prefixes of hashes by build tools, and utility classes. */
const MACHINE = /^(?:sc|css|jsx|jss|svelte|emotion|ng|_ng|v|data-v|tw|go|glamor|r|pull|float|text|bg|border|rounded|col|row|offset|order|items|justify|self|max|min|translate|ring|overflow|scroll|gap|space|inset|divide)-|[:[\]/@!%.()]/i;

const LONGEST = 24;
const MOST = 3;

/**
 * The meaningful words of some names, at most three, joined; empty if there are none. `spaces` count only as prefixes.
 */
export function meaningfulWords(names: readonly string[], spaces: ReadonlySet<string> = NO_SPACES): string {
  const words: string[] = [];
  for (const name of names) {
    const found = wordsOf(name);
    for (const word of found.length > 0 && spaces.has(firstWord(name)) ? found.filter((word) => word !== firstWord(name)) : found) {
      if (words.length < MOST && !words.includes(word)) words.push(word);
    }
  }
  const joined = words.join("-");
  return joined.length <= LONGEST ? joined : (words[0] ?? "");
}

const NO_SPACES: ReadonlySet<string> = new Set();

/** The first word of a name with several: `menu` of `menu-item`. */
export function firstWord(name: string): string {
  return /^(\p{L}+)[-_]/u.exec(name)?.[1]?.toLowerCase() ?? "";
}

/** Cache: pages repeat names. */
const read = new Map<string, string[]>();
const KEPT = 2_000;

function wordsOf(name: string): string[] {
  let words = read.get(name);
  if (!words) {
    words = readWords(name);
    if (read.size < KEPT) read.set(name, words);
  }
  return words;
}

function readWords(name: string): string[] {
  if (MACHINE.test(name)) return [];
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((part) => part && !isHash(part)).flatMap(humps);
  // The usual close icon has the shortest name.
  if (words.length > 1 && words.at(-1) === "x") return ["x"];
  const telling = words.filter((word) => !MEANINGLESS.has(word) && (word.length > 2 || WEAK.has(word)) && VOWEL.test(word) && word.length <= 20);
  return telling.some((word) => !WEAK.has(word)) ? telling : [];
}

const VOWEL = /[aeiouyàâäéèêëïîôöùûü]|[^\x00-\x7f]/;

/** `deleteItem` is two words. */
function humps(part: string): string[] {
  return part.replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2").toLowerCase().split(" ");
}

/** Letters mixed with digits, or capitals where no word begins. */
function isHash(part: string): boolean {
  if (/\d/.test(part)) return true;
  if (/\p{Ll}\p{Lu}{2,}/u.test(part)) return true;
  const pieces = humps(part);
  return pieces.length > 1 && pieces.filter((piece) => piece.length < 3).length > pieces.length / 2;
}
