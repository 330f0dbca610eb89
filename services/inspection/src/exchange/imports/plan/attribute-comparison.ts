import { CHARACTERISTIC_KEYS } from '@sinebar/contracts';
import type { AttributeType } from '../../../configuration/configuration.ts';
import type { Attributes } from '../../../plan/plan-item.ts';

/** An attribute, or an effective limit, that file and server give different values. */
export interface Difference {
  /** Key of the attribute in the file. */
  key: string;
  /** What differs, for a sentence. */
  what: string;
  inPlan: string;
  inFile: string;
  /** Attributes that the item gets when the file is right; `undefined` removes one. */
  update: Readonly<Record<string, string | undefined>>;
}

export interface Comparison {
  /** Attributes of the file that the item lacks. */
  missing: Record<string, string>;
  differences: Difference[];
}

const NOMINAL = String(CHARACTERISTIC_KEYS.nominal);
const SIDES = [
  { what: 'lower limit', limit: String(CHARACTERISTIC_KEYS.lowerTolerance), allowance: String(CHARACTERISTIC_KEYS.lowerDeviation) },
  { what: 'upper limit', limit: String(CHARACTERISTIC_KEYS.upperTolerance), allowance: String(CHARACTERISTIC_KEYS.upperDeviation) },
] as const;
/** The limits of a characteristic: they count as missing only together. */
const LIMIT_GROUP: ReadonlySet<string> = new Set([NOMINAL, ...SIDES.flatMap(({ limit, allowance }) => [limit, allowance])]);
const NONE = 'not there';
/** A sum of nominal and allowance may miss the written limit by less than this part of it. */
const ROUNDING = 1e-11;

/**
 * Compares the attributes of a file with those of the item that it describes; what only the server has is no difference.
 * @param skipped keys that may differ
 * spec: decisions.md 11.3
 */
export function compareAttributes(
  stored: Attributes,
  written: Attributes,
  typeOf: (key: number) => AttributeType | undefined,
  skipped: readonly string[] = [],
): Comparison {
  const missing: Record<string, string> = {};
  const differences: Difference[] = [];
  const hasLimits = Object.keys(stored).some((key) => LIMIT_GROUP.has(key));
  for (const [key, inFile] of Object.entries(written)) {
    if (hasLimits && LIMIT_GROUP.has(key)) continue;
    const inPlan = stored[key];
    if (inPlan === undefined) missing[key] = inFile;
    else if (!skipped.includes(key) && !isSame(inPlan, inFile, typeOf(Number(key)))) {
      differences.push({ key, what: 'attribute', inPlan, inFile, update: { [key]: inFile } });
    }
  }
  if (hasLimits) differences.push(...limitDifferences(stored, written));
  return { missing, differences };
}

function isSame(a: string, b: string, type: AttributeType | undefined): boolean {
  return a === b || ((type === 'Float' || type === 'Integer') && Number(a) === Number(b));
}

function limitDifferences(stored: Attributes, written: Attributes): Difference[] {
  const differences: Difference[] = [];
  const nominal = written[NOMINAL];
  if (nominal !== undefined && !isClose(stored[NOMINAL], nominal)) {
    differences.push({
      key: NOMINAL,
      what: 'nominal value',
      inPlan: stored[NOMINAL] ?? NONE,
      inFile: nominal,
      update: { [NOMINAL]: nominal },
    });
  }
  for (const { what, limit, allowance } of SIDES) {
    const inFile = effectiveLimit(written, limit, allowance, nominal ?? stored[NOMINAL]);
    if (inFile === undefined) continue;
    const inPlan = effectiveLimit(stored, limit, allowance, stored[NOMINAL]);
    if (isClose(inPlan, inFile)) continue;
    const key = written[limit] === undefined ? allowance : limit;
    const update = { [limit]: written[limit], [allowance]: written[allowance] };
    differences.push({ key, what, inPlan: inPlan ?? NONE, inFile, update });
  }
  return differences;
}

/** The limit as the server computes it. spec: decisions.md 5.4 */
function effectiveLimit(attributes: Attributes, limit: string, allowance: string, nominal: string | undefined): string | undefined {
  const written = attributes[limit];
  if (written !== undefined) return written;
  const deviation = attributes[allowance];
  if (deviation === undefined || nominal === undefined) return undefined;
  // Twelve digits hide the rounding of the sum.
  return String(Number((Number(nominal) + Number(deviation)).toPrecision(12)));
}

function isClose(a: string | undefined, b: string): boolean {
  if (a === undefined) return false;
  const [x, y] = [Number(a), Number(b)];
  return a === b || Math.abs(x - y) <= ROUNDING * Math.max(Math.abs(x), Math.abs(y));
}
