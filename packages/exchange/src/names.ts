import type { Problems } from './problems.ts';
import { cleaned } from './texts.ts';

/** Most characters of a name, as servers limit it. */
const MAX_NAME = 255;
/** Most characters of the number behind a name. */
const MAX_NUMBER = 40;

/** An item that gets a name among its siblings. */
export interface Unnamed {
  /** The name that the file gives; may be empty. */
  wanted: string;
  /** Text that distinguishes items of the same name, for example their number. */
  number: string;
  /** Name of an item without one, for example `Characteristic 3`. */
  fallback: string;
  line: number | undefined;
  key: string;
}

/** Names siblings. Names that occur twice get their number in brackets; comparison ignores case, as servers do. Takes linear time. */
export function nameSiblings(items: readonly Unnamed[], problems: Problems): string[] {
  const names = items.map(({ wanted, fallback, line, key }) => {
    const name = cleaned(wanted);
    if (name.length === 0) return fallback;
    if (name.length > MAX_NAME)
      problems.warn(line, key, `The name ${JSON.stringify(name.slice(0, 40))}… is longer than ${MAX_NAME} characters and is cut.`);
    return cutName(name, MAX_NAME);
  });
  const counts = new Map<string, number>();
  for (const name of names) counts.set(folded(name), (counts.get(folded(name)) ?? 0) + 1);
  const taken = new Set<string>();
  /** The number to try next after a name that is taken, so that equal names do not try all numbers again. */
  const nextNumbers = new Map<string, number>();
  return names.map((name, i) => {
    const number = cutName(cleaned((items[i] as Unnamed).number), MAX_NUMBER);
    const numbered = withNumber(name, number);
    const isTwice = (counts.get(folded(name)) ?? 0) > 1;
    let unique = isTwice ? numbered : name;
    if (taken.has(folded(unique))) {
      let next = nextNumbers.get(folded(numbered)) ?? 2;
      do {
        unique = withNumber(name, `${number}.${next}`);
        next += 1;
      } while (taken.has(folded(unique)));
      nextNumbers.set(folded(numbered), next);
    }
    taken.add(folded(unique));
    return unique;
  });
}

function withNumber(name: string, number: string): string {
  const suffix = ` (${number})`;
  return cutName(name, MAX_NAME - suffix.length) + suffix;
}

/** Cuts without splitting a surrogate pair. */
function cutName(name: string, length: number): string {
  const cut = name.slice(0, length);
  return /[\ud800-\udbff]$/.test(cut) ? cut.slice(0, -1) : cut;
}

export function folded(name: string): string {
  return name.normalize('NFC').replace(/[ßẞ]/g, 'ss').toLowerCase();
}
