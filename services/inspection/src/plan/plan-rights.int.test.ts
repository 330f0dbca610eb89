import { randomUUID } from 'node:crypto';
import { PathScope, type Principal } from '@sinebar/access-control';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { childMarkedPath, formatMarkedPath, parseMarkedPath, storedPath, type PlanItemKind } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { PlanClient, sql } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';

const RUNS = size({ short: 60, long: 1000 });
const TIMEOUT_MS = 30_000 + RUNS * 600;
/** Some names begin as another does, are another in other letters, or have a separator in them. */
const NAMES = ['A', 'AB', 'A.', 'A/B', 'A\\', 'B', 'é', 'ss', '%', '..'];
const PART_PATHS = NAMES.flatMap((a) => [[a], ...['A', 'A/B', 'B'].flatMap((b) => [[a, b], ...(a === 'A' ? [[a, b, 'B']] : [])])]);
/** Other spellings of the same names. */
const SPELLINGS: Readonly<Record<string, string>> = { A: 'a', é: 'E\u0301', ss: 'ß', 'A/B': 'a/b' };

interface Row {
  uuid: string;
  kind: PlanItemKind;
  path: string;
  marked_path: string;
  version: number;
}

/** One attempted request: random numbers that choose items of the plan. */
interface Attempt {
  what: 'create' | 'move' | 'change' | 'delete' | 'delete list' | 'clear';
  item: number;
  other: number;
  name: string;
}

const attempt: fc.Arbitrary<Attempt> = fc.record({
  what: fc.constantFrom('create', 'create', 'move', 'move', 'change', 'delete', 'delete list', 'clear'),
  item: fc.nat(),
  other: fc.nat(),
  name: fc.constantFrom(...NAMES, 'new'),
});
/** Grants on paths of items, by number. */
const indexes = fc.array(fc.nat(), { minLength: 1, maxLength: 3 });

describeWith(['postgres'], 'rights on a random plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
    await refill();
  });
  afterAll(() => inspection.stop());

  const rows = () => sql<Row>(inspection, 'SELECT uuid, kind, path, marked_path, version FROM plan_item ORDER BY path COLLATE "C"');
  const at = <T>(items: readonly T[], choice: number): T => items[choice % items.length] as T;
  const marked = (names: readonly string[]) => formatMarkedPath(names.map((name) => ({ kind: 'part', name })));
  const refill = async () => {
    await plan.post('part', undefined, `/${ROOT_PART_UUID}/clear`).expect(200);
    const paths = PART_PATHS.map(marked);
    await plan.create(...paths);
    await plan.create(...['/', ...paths].map((path) => childMarkedPath(path, { kind: 'characteristic', name: 'A' })));
  };
  /** Grants are written by hand, so the case of a path may differ. */
  const scopeAt = (all: readonly Row[], choices: readonly number[]): PathScope => {
    const parts = all.filter(({ kind }) => kind === 'part');
    return PathScope.of(
      choices.map((choice) =>
        storedPath(parseMarkedPath(at(parts, choice).marked_path).map(({ kind, name }) => ({ kind, name: SPELLINGS[name] ?? name }))),
      ),
    );
  };
  const somebody = (read: PathScope, write: PathScope): Principal => ({
    name: 'somebody',
    rightsKey: JSON.stringify([read, write]),
    scopeOf: (right) => ({ 'plan:read': read, 'plan:write': write, 'measurement:write': write })[right as string] ?? PathScope.NOTHING,
    holds: () => false,
  });

  it(
    'return and count exactly what the path scope includes [D8.3]',
    async () => {
      const all = await rows();
      await fc.assert(
        fc.asyncProperty(indexes, fc.nat(), async (granted, from) => {
          const scope = scopeAt(all, granted);
          const start = at(
            all.filter(({ kind }) => kind === 'part'),
            from,
          );
          const path = encodeURIComponent(start.marked_path.replace(/^P*:/, ''));
          const visible = all.filter((row) => row.path.startsWith(start.path) && scope.includes(row.path));
          const parts = visible.filter(({ kind }) => kind === 'part').map(({ uuid }) => uuid);
          await inspection.as(somebody(scope, PathScope.NOTHING), async () => {
            const below = `itemUuids=${start.uuid}&depth=65535`;
            expect((await plan.planItems(below)).map(({ uuid }) => uuid)).toEqual(visible.map(({ uuid }) => uuid));
            expect(await plan.count('inspectionPlanItems', below)).toBe(visible.length);
            expect((await plan.list('part', `depth=65535&partPath=${path}`)).map(({ uuid }) => uuid)).toEqual(parts);
            expect(await plan.count('parts', `depth=65535&partPath=${path}`)).toBe(parts.length);
          });
        }),
        { numRuns: RUNS },
      );
    },
    TIMEOUT_MS,
  );

  it(
    'allow no change outside of the path scope [D8.2]',
    async () => {
      let allowed = 0;
      await fc.assert(
        fc.asyncProperty(indexes, fc.array(attempt, { minLength: 1, maxLength: 4 }), async (granted, attempts) => {
          let all = await rows();
          if (all.length < 40) await refill();
          all = await rows();
          const scope = scopeAt(all, granted);
          const outside = (items: readonly Row[]) => items.filter(({ path }) => !scope.includes(path));
          await inspection.as(somebody(PathScope.NOTHING, scope), async () => {
            for (const each of attempts) {
              const status = await attempted(halfInside(await rows(), scope), each);
              expect([200, 201, 400, 403, 404, 409]).toContain(status);
              if (status < 300) allowed += 1;
            }
          });
          expect(outside(await rows())).toEqual(outside(all));
        }),
        { numRuns: RUNS },
      );
      expect(allowed).toBeGreaterThan(RUNS / 4);
      await expectConsistentPlan(inspection);
    },
    TIMEOUT_MS,
  );

  /** Half of the choices are inside the scope, the others anywhere. */
  const halfInside = (all: readonly Row[], scope: PathScope): Row[] => {
    const inside = all.filter(({ path }) => scope.includes(path));
    return inside.length === 0 ? [...all] : [...all, ...all.map((_, i) => at(inside, i))];
  };

  const attempted = async (all: readonly Row[], { what, item, other, name }: Attempt): Promise<number> => {
    const [one, two] = [at(all, item), at(all, other)];
    const address = one.kind === 'part' ? 'parts' : 'characteristics';
    const path = childMarkedPath(two.marked_path, { kind: one.kind, name });
    switch (what) {
      case 'create':
        return (await plan.post(one.kind, [{ uuid: randomUUID(), path }])).status;
      case 'move':
        return (await plan.put(one.kind, [{ uuid: one.uuid, path }])).status;
      case 'change':
        return (await plan.put(one.kind, [{ uuid: one.uuid, path: one.marked_path, attributes: {} }])).status;
      case 'delete':
        return (await plan.delete(`${address}/${one.uuid}`)).status;
      case 'delete list': {
        const list = `${one.kind === 'part' ? 'partUuids' : 'charUuids'}={${one.uuid},${two.uuid}}`;
        return (await plan.delete(`${address}?${list}`)).status;
      }
      case 'clear':
        return (await plan.post('part', undefined, `/${one.uuid}/clear`)).status;
    }
  };
});
