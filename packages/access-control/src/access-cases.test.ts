import { EVENT_NAMES, EVENTS } from '@sinebar/contracts';
import {
  ACTS,
  ADDRESS_CASES,
  CHARACTERISTICS,
  EVENT_CASES,
  grantsOf,
  LIST_CASES,
  LISTS,
  MEASURED,
  PARTS,
  storedPathOf,
  policyOf,
  ROLE_OF_CASES,
  type Reach,
} from '@sinebar/testing';
import { describe, expect, it } from '@jest/globals';
import { readPolicy } from './policy/access-policy.ts';
import { isServerRight } from './policy/rights.ts';
import { PART_RIGHTS, SERVER_RIGHTS, type PartRight, type Principal, type Right } from './principal.ts';
import type { PathScope } from './path-scope.ts';

/** Compares stored paths as PostgreSQL does: byte by byte. */
const isBelow = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b)) < 0;
/** Makes a principal with exactly these grants, from a policy. */
const somebodyWith = (who: string) => readPolicy(policyOf(who)).principalOf({ name: who, password: '', roles: [ROLE_OF_CASES] });

/** Whether the path is in a range of the scope. */
function isInRanges(parts: PathScope, path: string): boolean {
  return parts.ranges.some(({ first, end }) => !isBelow(path, first) && (end === undefined || isBelow(path, end)));
}

function mayAt(principal: Principal, right: PartRight, itemPath: string): boolean {
  const parts = principal.scopeOf(right);
  const path = storedPathOf(itemPath);
  expect(isInRanges(parts, path)).toBe(parts.includes(path));
  return parts.includes(path);
}

describe('the table of access cases, evaluated without a server', () => {
  const existing = ADDRESS_CASES.filter(([, , , verdict]) => verdict !== 'missing');
  it.each(existing)('with %s: %s, %s: %s [D8.2]', (who, act, where, verdict) => {
    const principal = somebodyWith(who);
    const itemPaths = where.split(' -> ');
    // After a move by another user only the current path counts.
    const asked = act.endsWith('after a move') ? itemPaths.slice(-1) : itemPaths;
    const may = (ACTS[act] as readonly Right[]).every((right) =>
      isServerRight(right) ? principal.holds(right) : asked.every((itemPath) => mayAt(principal, right, itemPath)),
    );
    expect(may ? 'yes' : 'no').toBe(verdict);
  });

  const MEMBERS: Record<(typeof LISTS)[keyof typeof LISTS][1], readonly string[]> = {
    parts: PARTS,
    'created parts': PARTS.slice(1),
    characteristics: CHARACTERISTICS,
    items: [...PARTS, ...CHARACTERISTICS],
    measured: MEASURED,
  };
  it.each(LIST_CASES)('with %s: list of %s from %s on [D8.3]', (who, list, where, shown) => {
    const [right, of] = LISTS[list];
    const below = MEMBERS[of].filter((itemPath) => storedPathOf(itemPath).startsWith(storedPathOf(where)));
    expect(below.filter((itemPath) => mayAt(somebodyWith(who), right, itemPath)).sort()).toEqual([...shown].sort());
  });
});

describe('the table of access cases', () => {
  const whos = [...ADDRESS_CASES, ...LIST_CASES, ...EVENT_CASES].map(([who]) => who);

  it('covers every right, both ways of every action, every list and every event [D8.2]', () => {
    const rights = new Set(whos.flatMap((who) => grantsOf(who).map(({ right }) => right)));
    expect([...rights].sort()).toEqual([...PART_RIGHTS, ...SERVER_RIGHTS].sort());
    const needed = new Set(Object.values(ACTS).flat());
    expect([...needed].sort()).toEqual([...PART_RIGHTS, ...SERVER_RIGHTS].sort());

    const verdicts = new Set(ADDRESS_CASES.map(([, act, , verdict]) => `${act}: ${verdict}`));
    const wanted = Object.entries(ACTS).flatMap(([act, needs]) => [`${act}: yes`, ...(needs.length > 0 ? [`${act}: no`] : [])]);
    expect(wanted.filter((text) => !verdicts.has(text))).toEqual([]);

    expect(new Set(LIST_CASES.map(([, list]) => list))).toEqual(new Set(Object.keys(LISTS)));
    const eventsWith = (reach: Reach) => EVENT_CASES.filter((row) => row[3] === reach).map(([, event]) => event);
    expect(EVENT_NAMES.filter((name) => !eventsWith('all').includes(name))).toEqual([]);
    // An event for everybody who has signed in is refused to no user of the table.
    const limited = EVENT_NAMES.filter((name) => EVENTS[name].readRight !== 'signed-in');
    expect(limited.filter((name) => !eventsWith('nothing').includes(name))).toEqual([]);
  });

  it('has at least 150 different rows', () => {
    const rows = [...ADDRESS_CASES, ...LIST_CASES, ...EVENT_CASES].map((row) => JSON.stringify(row.slice(0, 3)));
    expect(rows.length).toBeGreaterThanOrEqual(150);
    expect(rows.filter((row, i) => rows.indexOf(row) !== i)).toEqual([]);
  });
});
