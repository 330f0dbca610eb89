import { parseMarkedPath, storedPath, storedPathElement, type PlanItemKind } from '@sinebar/query-language';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { size } from '@sinebar/testing/size';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { PlanClient, sql } from '../plan-client.fixture.ts';
import { expectConsistentPlan } from '../plan-consistency.fixture.ts';

const RUNS = size({ short: 100, long: 10_000 });
const NAMES = ['a', 'b', 'C', '/'];

interface Row {
  id: number;
  uuid: string;
  kind: PlanItemKind;
  parent: number | null;
  name: string;
  path: string;
  marked_path: string;
}

/** One item of a request: random numbers that choose the item and its new path in the plan. */
interface Choice {
  item: number;
  /** Chooses the path of this item, or a new path in or beside it. */
  target: number;
  how: 'itsPath' | 'beside' | 'inside' | 'rename' | 'asItIs';
  name: string;
}

const choice: fc.Arbitrary<Choice> = fc.record({
  item: fc.nat(),
  target: fc.nat(),
  how: fc.constantFrom('itsPath', 'beside', 'inside', 'rename', 'asItIs'),
  name: fc.constantFrom(...NAMES),
});

describeWith(['postgres'], 'updates of several items at once', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const rowsOf = () =>
    sql<Row>(inspection, 'SELECT id, uuid, kind, parent_id AS parent, name, path, marked_path FROM plan_item ORDER BY path');

  const refill = async () => {
    await plan.delete(
      `parts?partUuids={${(await plan.list('part'))
        .slice(1)
        .map(({ uuid }) => uuid)
        .join(',')},00000000-0000-0000-0000-000000000001}`,
    );
    await plan.create('P:/a/', 'PP:/a/a/', 'PPP:/a/a/b/', 'PP:/a/b/', 'P:/b/', 'PP:/b/a/', 'PP:/b/C/', 'P:/\\//', 'PP:/\\//b/');
    await plan.create('PC:/a/a/', 'PC:/a/b/', 'PCC:/a/b/C/', 'PPC:/a/a/a/', 'PPCC:/a/a/a/b/', 'PC:/b/\\//', 'PCC:/b/\\//a/', 'PPC:/b/a/a/');
  };

  /** The requested path of each chosen item, each item once. */
  const requestOf = (kind: PlanItemKind, rows: readonly Row[], choices: readonly Choice[]): Map<number, string> => {
    const items = rows.filter((row) => row.kind === kind && row.parent !== null);
    const wanted = new Map<number, string>();
    const marker = kind === 'part' ? 'P' : 'C';
    const escaped = (name: string) => name.replace(/[\\/]/g, '\\$&');
    const inside = ({ marked_path: path }: Row, name: string) =>
      path === '/' ? `${marker}:/${escaped(name)}/` : `${path.replace(':', `${marker}:`)}${escaped(name)}/`;
    for (const { item, target, how, name } of choices) {
      const chosen = items[item % items.length];
      const other = rows[target % rows.length];
      if (!chosen || !other) continue;
      const own = rows.find(({ id }) => id === chosen.parent) as Row;
      const parentOfOther = rows.find(({ id }) => id === other.parent) ?? other;
      const newName = kind === 'part' ? name : chosen.name;
      const path = {
        itsPath: inside(parentOfOther, kind === 'part' ? other.name || name : newName),
        beside: inside(parentOfOther, newName),
        inside: inside(other, newName),
        rename: inside(own, name),
        asItIs: chosen.marked_path,
      }[how];
      if (/CP.*:/.test(path.slice(0, path.indexOf('/')))) continue;
      wanted.set(chosen.id, path);
    }
    return wanted;
  };

  /** Stored paths of all items after the request, by id; `undefined` when the request is invalid. */
  const model = (rows: readonly Row[], wanted: ReadonlyMap<number, string>): Map<number, string> | undefined => {
    const byId = new Map(rows.map((row) => [row.id, row]));
    const sent = new Map(
      [...wanted].flatMap(([id, path]): [number, string][] =>
        // An item that is sent with its current path moves with its parent.
        path === byId.get(id)?.marked_path ? [] : [[id, storedPath(parseMarkedPath(path))]],
      ),
    );
    const final = (row: Row): string =>
      sent.get(row.id) ?? (row.parent === null ? '' : final(byId.get(row.parent) as Row) + storedPathElement(row));
    const paths = new Map(rows.map((row) => [row.id, final(row)]));
    if (new Set(paths.values()).size < paths.size) return undefined;
    const byPath = new Map([...paths].map(([id, path]) => [path, id]));
    for (const id of sent.keys()) {
      const path = parseMarkedPath(wanted.get(id) as string);
      const parent = byPath.get(storedPath(path.slice(0, -1)));
      if (parent === undefined || parent === id) return undefined;
      const row = byId.get(id) as Row;
      if (row.kind === 'characteristic' && parent !== row.parent && path.at(-1)?.name !== row.name) return undefined;
    }
    return paths;
  };

  it(
    `agree with a model of the plan (${RUNS} requests) [I103, D4.6]`,
    async () => {
      const statuses = new Map<number, number>();
      const request = fc.tuple(
        fc.constantFrom<PlanItemKind>('part', 'part', 'characteristic'),
        fc.array(choice, { minLength: 1, maxLength: 5 }),
      );
      await fc.assert(
        fc.asyncProperty(request, async ([kind, choices]) => {
          if ((await plan.count('inspectionPlanItems')) !== 18) await refill();
          const before = await rowsOf();
          const wanted = requestOf(kind, before, choices);
          const expected = model(before, wanted);
          const byId = new Map(before.map((row) => [row.id, row]));
          const body = [...wanted].map(([id, path]) => ({ uuid: byId.get(id)?.uuid, path }));
          const answer = await plan.put(kind, body);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          expect(answer.status).toBeLessThan(500);
          expect([body, answer.status === 200 ? 'done' : 'refused']).toEqual([body, expected ? 'done' : 'refused']);
          const after = await rowsOf();
          if (!expected) expect(after).toEqual(before);
          else
            expect(new Map(after.map(({ id, path }) => [id, path]))).toEqual(
              new Map([...expected].sort(([, a], [, b]) => (a < b ? -1 : 1))),
            );
          await expectConsistentPlan(inspection);
        }),
        { numRuns: RUNS },
      );
      // Without both, nothing is compared.
      expect(statuses.get(200)).toBeGreaterThan(RUNS / 10);
      expect((statuses.get(400) ?? 0) + (statuses.get(409) ?? 0)).toBeGreaterThan(RUNS / 10);
    },
    180_000 + RUNS * 100,
  );
});
