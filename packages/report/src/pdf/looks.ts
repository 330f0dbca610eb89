/** Look of a shape of a drawing on paper. Lengths are pixels of the drawing. */
export interface Look {
  readonly fill?: string;
  readonly stroke?: string;
  readonly width: number;
  readonly dash?: readonly number[];
  readonly opacity: number;
  readonly isStrong: boolean;
  readonly isRound: boolean;
}

/** An element of a drawing, or one that encloses it. */
export interface StyledElement {
  readonly tag: 'svg' | 'g' | 'path' | 'circle' | 'text';
  readonly classes: readonly string[];
}

interface Rule {
  /** Compound selectors, the outermost first. */
  readonly selectors: readonly StyledElement[] | readonly { tag: string | undefined; classes: readonly string[] }[];
  readonly weight: number;
  readonly values: ReadonlyMap<string, string>;
}

const STRONG_WEIGHT = 600;
const INK = '#14171a';

/** Gives elements of drawings the looks of a style sheet whose selectors are tags and classes, as those of the charts are. */
export class Looks {
  private readonly rules: readonly Rule[];
  private readonly known = new Map<string, Look>();

  constructor(sheet: string) {
    this.rules = rulesOf(sheet);
  }

  /** @param path the element and all that enclose it, the outermost first */
  of(path: readonly StyledElement[]): Look {
    const key = path.map(({ tag, classes }) => `${tag}.${classes.join('.')}`).join('>');
    const known = this.known.get(key);
    if (known) return known;
    const look = this.computed(path);
    this.known.set(key, look);
    return look;
  }

  private computed(path: readonly StyledElement[]): Look {
    const values = new Map<string, string>();
    for (let depth = 1; depth <= path.length; depth += 1) {
      const matching = this.rules.filter(({ selectors }) => matches(selectors, path.slice(0, depth)));
      // The sort is stable: of equal weights the later rule counts.
      for (const rule of matching.toSorted((a, b) => a.weight - b.weight)) for (const [name, value] of rule.values) values.set(name, value);
    }
    const color = (name: string, otherwise?: string) => {
      const value = values.get(name) ?? otherwise;
      if (value === undefined || value === 'none') return undefined;
      return value === 'currentColor' ? (values.get('color') ?? INK) : value;
    };
    const tag = path.at(-1)?.tag;
    const fill = color('fill', tag === 'text' || tag === 'circle' ? INK : undefined);
    const stroke = color('stroke');
    const dash = values
      .get('stroke-dasharray')
      ?.split(/[\s,]+/)
      .map(Number);
    return {
      ...(fill !== undefined && { fill }),
      ...(stroke !== undefined && { stroke }),
      ...(dash && { dash }),
      width: Number.parseFloat(values.get('stroke-width') ?? '1'),
      opacity: Number(values.get('stroke-opacity') ?? 1),
      isStrong: Number(values.get('font-weight') ?? 400) >= STRONG_WEIGHT,
      isRound: values.get('stroke-linejoin') === 'round',
    };
  }
}

function matches(selectors: Rule['selectors'], path: readonly StyledElement[]): boolean {
  let left = selectors.length - 1;
  for (let at = path.length - 1; at >= 0 && left >= 0; at -= 1) {
    const { tag, classes } = selectors[left]!;
    const element = path[at]!;
    const isMatch = (tag === undefined || tag === element.tag) && classes.every((name) => element.classes.includes(name));
    if (isMatch) left -= 1;
    else if (at === path.length - 1) return false;
  }
  return left < 0;
}

function rulesOf(sheet: string): Rule[] {
  return [...sheet.matchAll(/([^{}]+)\{([^{}]*)\}/g)].flatMap(([, heads = '', body = '']) => {
    const values = new Map(
      body
        .split(';')
        .map((line) => line.split(':').map((text) => text.trim()))
        .filter((pair): pair is [string, string] => pair.length === 2),
    );
    return heads.split(',').map((head): Rule => {
      const selectors = head
        .trim()
        .split(/\s+/)
        .map((text) => {
          const [tag = '', ...classes] = text.split('.');
          return { tag: tag === '' ? undefined : tag, classes };
        });
      const weight = selectors.reduce((sum, { tag, classes }) => sum + classes.length * 10 + (tag === undefined ? 0 : 1), 0);
      return { selectors, weight, values };
    });
  });
}
