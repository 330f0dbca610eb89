import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { describeWith } from '@sinebar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql, type ReadItem } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';
import type { VersioningMode } from '../shared/versioning-mode.ts';

const KINDS = ['part', 'characteristic'] as const;

describe.each<VersioningMode>(['off', 'on', 'client'])('versioning %s', (mode) => {
  describeWith(['postgres'], 'of the plan', () => {
    let inspection: RunningInspection;
    const plan = new PlanClient(() => inspection);
    let unique = 0;
    const fresh = () => `t${(unique += 1)}`;
    /** Returns comment and history of an item. */
    const shown = ({ comment, history }: ReadItem) => [comment, history?.map((state) => state.comment)];

    beforeAll(async () => {
      inspection = await startInspection({ SINEBAR_VERSIONING: mode });
      await define(
        inspection,
        { key: 1001, entity: 'part', type: 'AlphaNumeric' },
        { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
      );
    });
    afterAll(async () => {
      try {
        await expectConsistentPlan(inspection);
      } finally {
        await inspection.stop();
      }
    });

    it('accepts repeated changes of the root part, from the first change of a server on', async () => {
      const root = '00000000-0000-0000-0000-000000000000';
      for (const value of ['a', 'b', 'c'])
        await plan.put('part', [{ uuid: root, attributes: { 1001: value } }], '?versioningEnabled=true').expect(200);
    });

    it.each(KINDS)('returns of the history of a %s only states at paths that the caller may read [D8.3]', async (kind) => {
      const end = kind === 'part' ? 'P' : 'C';
      const [t, hidden] = [fresh(), fresh()];
      await plan.create(`P:/${t}/`, `P:/${hidden}/`);
      const uuid = randomUUID();
      const paths = [`P${end}:/${t}/one/`, `P${end}:/${hidden}/one/`, `P${end}:/${t}/two/`, `P${end}:/${t}/three/`];
      await plan.post(kind, [{ uuid, path: paths[0] }]).expect(201);
      for (const path of paths.slice(1)) {
        // A characteristic is either moved or renamed.
        if (kind === 'characteristic' && path === paths[2])
          await plan.put(kind, [{ uuid, path: `P${end}:/${t}/one/` }], '?versioningEnabled=true').expect(200);
        await plan.put(kind, [{ uuid, path }], '?versioningEnabled=true').expect(200);
      }
      const pathsOf = async (query = 'withHistory=true') => {
        const one = (await plan.one(kind, uuid, query)).history?.map(({ path }) => path);
        const list = kind === 'part' ? `partUuids=${uuid}` : `charUuids=${uuid}`;
        expect((await plan.list(kind, `${list}&${query}`))[0]?.history?.map(({ path }) => path)).toEqual(one);
        expect((await plan.planItems(`itemUuids=${uuid}&${query}`))[0]?.history?.map(({ path }) => path)).toEqual(one);
        return one;
      };
      const all = await pathsOf();
      if (mode === 'off') expect(all).toBeUndefined();
      else expect(all).toContain(paths[1]);
      await inspection.as({ name: 'stub', rightsKey: t, scopeOf: () => PathScope.below(`p${t}/`), holds: () => false }, async () => {
        expect(await pathsOf()).toEqual(all?.filter((path) => path !== paths[1]));
        expect(await pathsOf('')).toBeUndefined();
      });
    });

    it.each(KINDS)(
      'keeps comments and history of a %s if required [I14, I50, I54, I98, I101, I104, I105, I119, I123, I124, I126, I198, I199, D4.7]',
      async (kind) => {
        const [marker, key] = kind === 'part' ? ['P', '1001'] : ['C', '2001'];
        for (const enabled of [undefined, false, true]) {
          const kept = mode === 'on' || (mode === 'client' && enabled === true);
          const query = enabled === undefined ? '' : `?VersioningEnabled=${enabled ? 'True' : 'false'}`;
          const t = fresh();
          const uuid = randomUUID();
          await plan
            .post(kind, [{ uuid, path: `${marker}:/${t}/`, attributes: { [key]: 'one' }, comment: '[me]: first' }], query)
            .expect(201);
          const first = await plan.one(kind, uuid);
          expect(first.comment).toBe(kept ? '[me]: first' : undefined);
          expect(first).not.toHaveProperty('history');
          await plan.put(kind, [{ uuid, path: `${marker}:/${t}b/`, comment: 'second "quoted" \u2028 ü' }], query).expect(200);
          await plan.put(kind, [{ uuid, attributes: { [key]: 'three' } }], query).expect(200);
          const last = await plan.one(kind, uuid, 'withHistory=true');
          expect(last).toMatchObject({ path: `${marker}:/${t}b/`, attributes: { [key]: 'three' } });
          expect(last).not.toHaveProperty('comment');
          if (mode === 'off') expect(last).not.toHaveProperty('history');
          else {
            const states = last.history?.map(({ path, attributes, comment }) => [path, attributes, comment]);
            expect(states).toEqual(
              kept
                ? [
                    [`${marker}:/${t}b/`, { [key]: 'one' }, 'second "quoted" \u2028 ü'],
                    [`${marker}:/${t}/`, { [key]: 'one' }, '[me]: first'],
                  ]
                : [],
            );
            const all = [last, ...(last.history ?? [])];
            expect(all.map(({ version }) => version)).toEqual(all.map(({ version }) => version).sort((a, b) => b - a));
            expect(new Set(all.map(({ version }) => version)).size).toBe(all.length);
            if (kept) expect(last.history?.at(-1)).toMatchObject({ uuid, version: first.version, timestamp: first.timestamp });
          }
          expect(await plan.one(kind, uuid)).not.toHaveProperty('history');
          const list = await plan.list(kind, `${kind === 'part' ? 'partUuids' : 'charUuids'}={${uuid}}&withHistory=TRUE`);
          expect(list).toEqual([last]);
          expect(await plan.planItems(`itemUuids={${uuid}}&withHistory=true`)).toEqual([last]);
        }
      },
    );

    it('returns only the comment of the last change', async () => {
      const uuid = randomUUID();
      await plan.post('part', [{ uuid, path: `P:/${fresh()}/`, comment: 'of the creation' }], '?versioningEnabled=true').expect(201);
      await plan.put('part', [{ uuid, attributes: { 1001: 'x' } }]).expect(200);
      const { comment, history } = await plan.one('part', uuid, 'withHistory=true');
      expect(comment).toBeUndefined();
      expect(history?.map((state) => state.comment)).toEqual({ off: undefined, on: ['of the creation'], client: [] }[mode]);
    });

    it('uses the comment of the first changed item for the whole request [I106]', async () => {
      const [t, query] = [fresh(), mode === 'client' ? '?versioningEnabled=true' : ''];
      const [a, b, c] = await plan.create(`P:/${t}a/`, `P:/${t}b/`, `P:/${t}c/`);
      await plan
        .put(
          'part',
          [
            { uuid: a, path: `P:/${t}a/`, comment: 'of none' },
            { uuid: b, attributes: { 1001: 'x' }, comment: 'of the first' },
            { uuid: c, attributes: { 1001: 'x' }, comment: 'of the second' },
          ],
          query,
        )
        .expect(200);
      const comments = (await plan.list('part', `partUuids={${a},${b},${c}}`)).map(({ comment }) => comment);
      expect(comments).toEqual(mode === 'off' ? [undefined, undefined, undefined] : [undefined, 'of the first', 'of the first']);
    });

    it('keeps old paths in the history after a move of a part above, and deletes the history with the item [I54, I123, D4.6]', async () => {
      const [t, query] = [fresh(), mode === 'client' ? '?versioningEnabled=true' : ''];
      const [part, sub] = (await plan.create(`P:/${t}/`, `PP:/${t}/sub/`)) as [string, string];
      await plan.put('part', [{ uuid: sub, path: `PP:/${t}/sub 2/` }], query).expect(200);
      const before = await plan.one('part', sub, 'withHistory=true');
      await plan.put('part', [{ uuid: part, path: `P:/${t}x/` }], query).expect(200);
      const after = await plan.one('part', sub, 'withHistory=true');
      expect(after).toEqual({ ...before, path: `PP:/${t}x/sub 2/` });
      expect(after.history?.map(({ path }) => path)).toEqual(mode === 'off' ? undefined : [`PP:/${t}/sub/`]);
      await plan.delete(`parts/${part}`).expect(200);
      expect(await sql(inspection, 'SELECT FROM plan_item_history WHERE marked_path LIKE $1', [`%/${t}%`])).toEqual([]);
      // A new item with the same uuid has no history of the old one.
      await plan.post('part', [{ uuid: sub, path: `P:/${t}new/` }], query).expect(201);
      expect(shown(await plan.one('part', sub, 'withHistory=true'))).toEqual([undefined, mode === 'off' ? undefined : []]);
    });

    it('accepts comments of up to 4,000 characters and refuses those that cannot be stored', async () => {
      const uuid = randomUUID();
      const t = fresh();
      await plan.post('part', [{ uuid, path: `P:/${t}/`, comment: 'c'.repeat(4000) }]).expect(201);
      await plan.put('part', [{ uuid, attributes: { 1001: 'x' }, comment: 'c'.repeat(4001) }]).expect(400);
      await plan.put('part', [{ uuid, attributes: { 1001: 'x' }, comment: 'a\0b' }]).expect(400);
      await plan.put('part', [{ uuid, attributes: { 1001: 'x' }, comment: 'half \ud83d' }]).expect(400);
      await plan.put('part', [{ uuid, attributes: { 1001: 'x' }, comment: null }]).expect(200);
      await plan.put('part', [{ uuid }], '?versioningEnabled=perhaps').expect(400);
    });
  });
});

describeWith(['postgres'], 'a server whose versioning was switched off', () => {
  it('hides stored comments and history [I50, I54, I98, I199]', async () => {
    const inspection = await startInspection({ SINEBAR_VERSIONING: 'off' });
    try {
      const plan = new PlanClient(() => inspection);
      const [uuid] = (await plan.create('P:/a/')) as [string];
      await sql(inspection, `UPDATE plan_item SET comment = 'secret', version = 0 WHERE uuid = $1`, [uuid]);
      await sql(
        inspection,
        `INSERT INTO plan_item_history (item_id, version, marked_path, attributes, comment, modified_at, characteristics_modified_at)
         SELECT id, -1, 'P:/old/', '{}', 'secret', modified_at, modified_at FROM plan_item WHERE uuid = $1`,
        [uuid],
      );
      const answers = [
        await plan.get(`parts/${uuid}?withHistory=true`),
        await plan.get('parts?withHistory=true'),
        await plan.get('inspectionPlanItems?withHistory=true'),
      ];
      for (const { text } of answers) expect(text).not.toMatch(/secret|old|history|comment/);
    } finally {
      await inspection.stop();
    }
  });
});
