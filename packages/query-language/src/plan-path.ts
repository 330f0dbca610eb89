import { GrammarError } from './grammar-error.ts';

export type PlanItemKind = 'part' | 'characteristic';

export interface PathElement {
  kind: PlanItemKind;
  /** Name as it is stored: as written, but with `ß` as `ss`. */
  name: string;
}

/** Maximum characters (code points) of one name. */
export const MAX_NAME_LENGTH = 255;
/** Maximum bytes of a stored path: an index entry fails at about 2,700. */
export const MAX_STORED_PATH_BYTES = 2000;

/**
 * Reads a path with its type marker, one letter per element: `P:/a/`, `PPC:/a/b/x/`. The root is `/`, with or without a marker of no or one
 * `P`. In names `/` is written `\/` and `\` is `\\`.
 * @throws GrammarError. spec: decisions.md 4.2
 */
export function parseMarkedPath(text: string): PathElement[] {
  const match = /^([PCpc]*):/.exec(text);
  if (!match) {
    if (text === '/') return [];
    throw new GrammarError(
      'A path begins with a type marker that has one letter for each element, for example "PPC:/part/part/characteristic/"',
      0,
    );
  }
  const marker = (match[1] as string).toUpperCase();
  const names = splitNames(text, match[0].length);
  if (names.length === 0 && (marker === '' || marker === 'P')) return [];
  if (marker.length !== names.length) {
    throw new GrammarError(`The type marker "${marker}:" has ${marker.length} letters but the path has ${names.length} elements`, 0);
  }
  const partBelowCharacteristic = marker.indexOf('CP');
  if (partBelowCharacteristic >= 0) {
    throw new GrammarError('A part (P) cannot lie below a characteristic (C)', partBelowCharacteristic + 1);
  }
  return names.map((name, i) => ({ kind: marker[i] === 'P' ? 'part' : 'characteristic', name }));
}

/**
 * Reads a path without marker, as `partPath` and `charPath` carry it: `/a/b`; the leading and the trailing slash may be missing.
 * @returns the names; none for the root. @throws GrammarError. spec: decisions.md 4.2
 */
export function parseUnmarkedPath(text: string): string[] {
  return splitNames(text, 0);
}

/** Formats a path with its type marker; `/` for the root. */
export function formatMarkedPath(path: readonly PathElement[]): string {
  if (path.length === 0) return '/';
  const marker = path.map(({ kind }) => (kind === 'part' ? 'P' : 'C')).join('');
  return `${marker}:/${path.map(({ name }) => `${escapeName(name)}/`).join('')}`;
}

/** Formats the path of an item directly below the one with the given marked path. */
export function childMarkedPath(parent: string, { kind, name }: PathElement): string {
  const [marker = '', names = '/'] = parent === '/' ? ['', '/'] : splitAtColon(parent);
  return `${marker}${kind === 'part' ? 'P' : 'C'}:${names}${escapeName(name)}/`;
}

/**
 * Formats a path as it is stored, compared and checked against rights.
 * Each element is `p` or `c`, the folded and escaped name, and `/`. The root is the empty text; an item's stored path is a prefix of those
 * of all items below it, and of no other.
 */
export function storedPath(path: readonly PathElement[]): string {
  return path.map(storedPathElement).join('');
}

export function storedPathElement({ kind, name }: PathElement): string {
  return `${kind === 'part' ? 'p' : 'c'}${escapeName(foldName(name))}/`;
}

/** Formats the {@link storedPath} of a part from names alone. */
export function storedPartPath(names: readonly string[]): string {
  return storedPath(names.map((name) => ({ kind: 'part', name })));
}

/**
 * Formats the stored path of a part as clients write it without marker: `/a/b`, and `/` for the root. Names are in their folded form.
 * @throws Error when an element is no part
 */
export function unmarkedPartPath(stored: string): string {
  const elements = stored.match(/(?:[^\\/]|\\.)+\//gs) ?? [];
  if (elements.some((element) => !element.startsWith('p'))) throw new Error(`not the stored path of a part: ${stored}`);
  return `/${elements.map((element) => element.slice(1, -1)).join('/')}`;
}

/** Folds a name for comparison: names that fold to the same text are equal (spec: decisions.md 4.3). */
export function foldName(name: string): string {
  return sharpSToSs(name.normalize('NFC')).toLowerCase();
}

/** Replaces `ß` by `ss`, as names are stored (spec: inspection-service.md, Characteristics). */
export function sharpSToSs(name: string): string {
  return name.replace(/[ßẞ]/g, 'ss');
}

function splitAtColon(text: string): [string, string] {
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

function escapeName(name: string): string {
  return name.replace(/[\\/]/g, '\\$&');
}

function splitNames(text: string, start: number): string[] {
  const names: string[] = [];
  let position = text[start] === '/' ? start + 1 : start;
  while (position < text.length) {
    let name = '';
    const begin = position;
    while (position < text.length && text[position] !== '/') {
      if (text[position] === '\\') {
        position += 1;
        if (text[position] !== '/' && text[position] !== '\\') {
          throw new GrammarError('In a name a backslash is written "\\\\" and a slash "\\/"', position - 1);
        }
      }
      name += text[position];
      position += 1;
    }
    checkName(name, begin);
    names.push(sharpSToSs(name));
    position += 1;
  }
  if (storedPathBytes(names) > MAX_STORED_PATH_BYTES) {
    throw new GrammarError(`The path is longer than ${MAX_STORED_PATH_BYTES} bytes`, start);
  }
  return names;
}

function checkName(name: string, position: number): void {
  if (name === '') throw new GrammarError('A name is empty', position);
  if ([...name].length > MAX_NAME_LENGTH) throw new GrammarError(`A name is longer than ${MAX_NAME_LENGTH} characters`, position);
  if (name.includes('\0')) throw new GrammarError('A name contains the character U+0000', position);
  // A lone surrogate has no UTF-8 form: the database would store another name than the one sent.
  if (/\p{Surrogate}/u.test(name)) throw new GrammarError('A name contains half of a surrogate pair', position);
}

function storedPathBytes(names: readonly string[]): number {
  // Pages have no Buffer.
  return new TextEncoder().encode(storedPartPath(names)).length;
}
