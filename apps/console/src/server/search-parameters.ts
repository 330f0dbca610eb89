/** Reads one search parameter of an address; `undefined` when it is missing or makes no sense. */
type Reader<T> = (value: unknown) => T | undefined;

/** Makes the validator of a page's search parameters: what is unknown or invalid is left out, so that an old link still opens. */
export function searchParameters<T extends Readonly<Record<string, unknown>>>(readers: {
  readonly [name in keyof T]: Reader<T[name]>;
}): (search: Readonly<Record<string, unknown>>) => Partial<T> {
  return (search) => {
    const found: Partial<T> = {};
    for (const name of Object.keys(readers) as (keyof T & string)[]) {
      const value = readers[name](search[name]);
      if (value !== undefined) found[name] = value;
    }
    return found;
  };
}

/** A text that is not empty. The router reads what looks like a number as one. */
export const text: Reader<string> = (value) => {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value !== '' ? value : undefined;
};

export const yes: Reader<true> = (value) => (value === true || value === 'true' ? true : undefined);

/** A date-time in the form of ISO 8601. */
export const time: Reader<string> = (value) => (typeof value === 'string' && !Number.isNaN(Date.parse(value)) ? value : undefined);

/** A whole number between two bounds. */
export function whole(least: number, most: number): Reader<number> {
  return (value) => {
    const number = typeof value === 'string' ? Number(value) : value;
    return typeof number === 'number' && Number.isInteger(number) && number >= least && number <= most ? number : undefined;
  };
}

export function oneOf<const W extends string>(words: readonly W[]): Reader<W> {
  return (value) => words.find((word) => word === value);
}

/** A list, written with commas. */
export const list: Reader<readonly string[]> = (value) => {
  const items = (Array.isArray(value) ? value.map(String) : (text(value)?.split(',') ?? [])).filter((item) => item !== '');
  return items.length > 0 ? items : undefined;
};
