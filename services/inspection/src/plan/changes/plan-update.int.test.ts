import { PathScope } from '@sinebar/access-control';
import { randomUUID } from 'node:crypto';
import { ROOT_PART_UUID } from '@sinebar/contracts';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../../running-inspection.fixture.ts';
import { define, PlanClient, sql } from '../plan-client.fixture.ts';
import { expectConsistentPlan } from '../plan-consistency.fixture.ts';

describeWith(['postgres'], 'updates of the plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  let unique = 0;
  /** A name that no other test uses. */
  const fresh = () => `t${(unique += 1)}`;
  const state = () => sql(inspection, 'SELECT * FROM plan_item ORDER BY id');
  /** A refused change must change nothing. */
  const expectRefused = async (answer: () => PromiseLike<{ status: number; body: unknown }>, status: number, message: RegExp) => {
    const before = await state();
    const announced = (await inspection.announced()).length;
    expect(await plan.refused(answer())).toEqual([status, expect.stringMatching(message)]);
    expect(await state()).toEqual(before);
    expect(await inspection.announced()).toHaveLength(announced);
  };

  beforeAll(async () => {
    inspection = await startInspection();
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
      { key: 1002, entity: 'part', type: 'Integer' },
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

  describe('paths', () => {
    it('changes the paths below a renamed part, but the version of the part only [I7, I103, I184, D4.6]', async () => {
      const t = fresh();
      const [part, sub, x] = (await plan.create(`P:/${t}/`, `PP:/${t}/sub/`, `PC:/${t}/x/`, `PPC:/${t}/sub/y/`)) as [
        string,
        string,
        string,
      ];
      const [subBefore, xBefore, partBefore] = [
        await plan.one('part', sub),
        await plan.one('characteristic', x),
        await plan.one('part', part),
      ];
      await eventually(() => Date.now() > Date.parse(partBefore.timestamp));
      const events = await plan.eventsOf(() => plan.put('part', [{ uuid: part, path: `P:/${t} a\\/b\\\\c/` }]).expect(200));
      expect(await plan.tree(`/${t} a\\/b\\\\c`)).toEqual([
        `P:/${t} a\\/b\\\\c/`,
        `PC:/${t} a\\/b\\\\c/x/`,
        `PP:/${t} a\\/b\\\\c/sub/`,
        `PPC:/${t} a\\/b\\\\c/sub/y/`,
      ]);
      expect(events).toEqual([{ type: 'PartMoved', PartUuid: part, FromPath: `P:/${t}/`, ToPath: `P:/${t} a\\/b\\\\c/` }]);
      const partAfter = await plan.one('part', part);
      expect(partAfter.version).toBeGreaterThan(partBefore.version);
      expect(Date.parse(partAfter.timestamp)).toBeGreaterThan(Date.parse(partBefore.timestamp));
      expect(await plan.one('part', sub)).toEqual({ ...subBefore, path: `PP:/${t} a\\/b\\\\c/sub/` });
      expect(await plan.one('characteristic', x)).toEqual({ ...xBefore, path: `PC:/${t} a\\/b\\\\c/x/` });
      const [envelope] = (await inspection.envelopes()).slice(-1);
      expect(envelope).toMatchObject({ sinebaroldpath: `p${t}/`, sinebarpath: `p${t} a\\/b\\\\c/` });
      await expectConsistentPlan(inspection);
    });

    it('changes only the case of a name, also in the middle of paths', async () => {
      const t = fresh();
      const [part] = await plan.create(`P:/${t}/`, `PP:/${t}/ä/`, `PPC:/${t}/ä/😀/`);
      const [, a] = await plan.list('part', `partPath=${t}`);
      await plan.put('part', [{ uuid: a?.uuid as string, path: `PP:/${t.toUpperCase()}/Ä/` }]).expect(200);
      expect(await plan.tree(t)).toEqual([`P:/${t}/`, `PP:/${t}/Ä/`, `PPC:/${t}/Ä/😀/`]);
      await plan.put('part', [{ uuid: part, path: `P:/${t.toUpperCase()}/` }]).expect(200);
      expect(await plan.tree(t)).toEqual([`P:/${t.toUpperCase()}/`, `PP:/${t.toUpperCase()}/Ä/`, `PPC:/${t.toUpperCase()}/Ä/😀/`]);
    });

    it('swaps two names in one request, including everything below', async () => {
      const t = fresh();
      const [, a, b] = await plan.create(
        `P:/${t}/`,
        `PP:/${t}/a/`,
        `PP:/${t}/b/`,
        `PPC:/${t}/a/of a/`,
        `PPC:/${t}/b/of b/`,
        `PPP:/${t}/a/sub/`,
      );
      const events = await plan.eventsOf(() =>
        plan
          .put('part', [
            { uuid: a, path: `PP:/${t}/b/` },
            { uuid: b, path: `PP:/${t}/a/` },
          ])
          .expect(200),
      );
      expect(await plan.tree(t)).toEqual([
        `P:/${t}/`,
        `PP:/${t}/a/`,
        `PPC:/${t}/a/of b/`,
        `PP:/${t}/b/`,
        `PPC:/${t}/b/of a/`,
        `PPP:/${t}/b/sub/`,
      ]);
      expect(events.map(({ PartUuid, ToPath }) => [PartUuid, ToPath])).toEqual([
        [a, `PP:/${t}/b/`],
        [b, `PP:/${t}/a/`],
      ]);
    });

    it.each(['part', 'characteristic'] as const)('renames a %s and one below it in one request, in both orders', async (kind) => {
      const t = fresh();
      const [p, m] = kind === 'part' ? ['P', 'PP'] : ['C', 'CC'];
      const [outer, inner] = await plan.create(`${p}:/${t}/`, `${m}:/${t}/in/`, `${m}C:/${t}/in/leaf/`);
      for (const [name, order] of [
        ['x', [0, 1]],
        ['y', [1, 0]],
      ] as const) {
        const items = [
          { uuid: outer, path: `${p}:/${t}${name}/` },
          { uuid: inner, path: `${m}:/${t}${name}/in ${name}/` },
        ];
        await plan
          .put(
            kind,
            order.map((i) => items[i]),
          )
          .expect(200);
        const paths = (await plan.planItems(`itemUuids={${outer}}&depth=5`)).map(({ path }) => path);
        expect(paths).toEqual([`${p}:/${t}${name}/`, `${m}:/${t}${name}/in ${name}/`, `${m}C:/${t}${name}/in ${name}/leaf/`]);
      }
      await expectConsistentPlan(inspection);
    });

    it('moves an item into a part that is renamed in the same request, in both orders', async () => {
      const t = fresh();
      const [, target, mover] = await plan.create(
        `P:/${t}/`,
        `PP:/${t}/target/`,
        `PP:/${t}/mover/`,
        `PPC:/${t}/mover/x/`,
        `PPP:/${t}/target/old/`,
      );
      await plan
        .put('part', [
          { uuid: mover, path: `PPP:/${t}/Renamed/mover 2/` },
          { uuid: target, path: `PP:/${t}/renamed/` },
        ])
        .expect(200);
      const expected = [`PP:/${t}/renamed/`, `PPP:/${t}/renamed/mover 2/`, `PPPC:/${t}/renamed/mover 2/x/`, `PPP:/${t}/renamed/old/`];
      expect(await plan.tree(`${t}/renamed`)).toEqual(expected);
      await plan
        .put('part', [
          { uuid: target, path: `PP:/${t}/again/` },
          { uuid: mover, path: `PPP:/${t}/again/mover/` },
        ])
        .expect(200);
      expect((await plan.one('part', mover as string)).path).toBe(`PPP:/${t}/again/mover/`);
      await plan.put('part', [{ uuid: mover, path: `PP:/${t}/mover/` }]).expect(200);
      expect(await plan.tree(`${t}/mover`)).toEqual([`PP:/${t}/mover/`, `PPC:/${t}/mover/x/`]);
    });

    it('swaps parent and child in one request', async () => {
      const t = fresh();
      const [a, b] = await plan.create(`P:/${t}/`, `PP:/${t}/b/`, `PPP:/${t}/b/c/`, `PC:/${t}/x/`, `PPC:/${t}/b/y/`, `PP:/${t}/d/`);
      await plan
        .put('part', [
          { uuid: a, path: `PP:/${t}/b/` },
          { uuid: b, path: `P:/${t}/` },
        ])
        .expect(200);
      expect(await plan.tree(t)).toEqual([`P:/${t}/`, `PC:/${t}/y/`, `PP:/${t}/b/`, `PPC:/${t}/b/x/`, `PPP:/${t}/b/d/`, `PP:/${t}/c/`]);
      expect((await plan.one('part', a as string)).path).toBe(`PP:/${t}/b/`);
      await expectConsistentPlan(inspection);
    });

    it('moves an item with its parent when it is sent with its old path', async () => {
      const t = fresh();
      const [a, b, c] = await plan.create(`P:/${t}/`, `PP:/${t}/b/`, `PPP:/${t}/b/c/`);
      const events = await plan.eventsOf(() =>
        plan
          .put('part', [
            { uuid: c, path: `PPP:/${t}/b/c/`, attributes: { 1001: 'changed' } },
            { uuid: b, path: `PP:/${t}x/b/` },
            { uuid: a, path: `P:/${t}x/` },
          ])
          .expect(200),
      );
      expect(await plan.tree(`${t}x`)).toEqual([`P:/${t}x/`, `PP:/${t}x/b/`, `PPP:/${t}x/b/c/`]);
      expect(events).toEqual([
        { type: 'PartModified', PartUuid: c },
        { type: 'PartMoved', PartUuid: a, FromPath: `P:/${t}/`, ToPath: `P:/${t}x/` },
      ]);
      // The right to the event depends on the new path.
      expect((await inspection.envelopes()).at(-2)?.sinebarpath).toBe(`p${t}x/pb/pc/`);
    });

    it('moves or renames a characteristic, but not both in one request [I126, I127, I186]', async () => {
      const t = fresh();
      const [, , x] = await plan.create(`P:/${t}/`, `PP:/${t}/q/`, `PC:/${t}/x/`, `PCC:/${t}/x/y/`, `PPC:/${t}/q/host/`);
      await expectRefused(() => plan.put('characteristic', [{ uuid: x, path: `PPC:/${t}/q/z/` }]), 400, /moved and renamed at once/);
      await plan.put('characteristic', [{ uuid: x, path: `PC:/${t}/z/` }]).expect(200);
      await plan.put('characteristic', [{ uuid: x, path: `PPCC:/${t}/q/HOST/z/` }]).expect(200);
      expect(await plan.tree(`${t}/q`)).toEqual([`PP:/${t}/q/`, `PPC:/${t}/q/host/`, `PPCC:/${t}/q/host/z/`, `PPCCC:/${t}/q/host/z/y/`]);
      expect((await plan.list('characteristic', `partPath=${t}/q`)).map(({ path }) => path)).toHaveLength(3);
      expect(await plan.list('characteristic', `partPath=${t}`)).toEqual([]);
      const [moved] = (await inspection.envelopes()).slice(-1);
      expect(moved).toMatchObject({ type: 'CharacteristicMoved', sinebarpath: `p${t}/pq/chost/cz/`, sinebaroldpath: `p${t}/cz/` });
      expect(moved?.sinebaroldpart).not.toBe(moved?.sinebarpart);
      await expectRefused(() => plan.put('characteristic', [{ uuid: x, path: `PPCCCC:/${t}/q/host/z/y/z/` }]), 400, /below itself/);
      await plan.put('characteristic', [{ uuid: x, path: `C:/z/` }]).expect(200);
      await plan.delete(`characteristics/${x}`).expect(200);
    });

    it('moves a characteristic below one that is moved to another part in the same request', async () => {
      const t = fresh();
      const [, q, x, , z] = await plan.create(`P:/${t}/`, `P:/${t}q/`, `PC:/${t}/x/`, `PCC:/${t}/x/y/`, `PC:/${t}/z/`);
      const events = await plan.eventsOf(() =>
        plan
          .put('characteristic', [
            { uuid: z, path: `PCCC:/${t}q/x/y/z/` },
            { uuid: x, path: `PC:/${t}q/x/`, attributes: { 2001: 'moved' } },
          ])
          .expect(200),
      );
      expect(await plan.tree(`${t}q`)).toEqual([`P:/${t}q/`, `PC:/${t}q/x/`, `PCC:/${t}q/x/y/`, `PCCC:/${t}q/x/y/z/`]);
      expect((await plan.list('characteristic', `partPath=${t}q`)).map(({ path }) => path)).toHaveLength(3);
      expect(events.at(-1)).toEqual({ type: 'CharacteristicModified', CharacteristicUuid: x, ParentPartUuid: q });
      expect((await inspection.envelopes()).slice(-3).map(({ sinebarpart }) => sinebarpart)).toEqual([q, q, q]);
      await expectConsistentPlan(inspection);
    });

    it('refuses invalid paths and changes nothing [I6, I103, D2.6, D4.1, D4.6]', async () => {
      const t = fresh();
      const [a, b, , x] = (await plan.create(`P:/${t}/`, `PP:/${t}/b/`, `PP:/${t}/taken/`, `PC:/${t}/x/`, `PC:/${t}/b/`)) as [
        string,
        string,
        string,
        string,
      ];
      const unknown = randomUUID();
      const cases: [string, 'part' | 'characteristic', unknown[], number, RegExp][] = [
        [
          'below itself',
          'part',
          [{ uuid: a, path: `PP:/${t}/a/` }],
          400,
          /\[0\]\.path: The part [0-9a-f-]{36} cannot be moved below itself/,
        ],
        ['far below itself', 'part', [{ uuid: a, path: `PPP:/${t}/b/a/` }], 400, /below itself/],
        ['the root renamed', 'part', [{ uuid: ROOT_PART_UUID, path: 'P:/root/' }], 400, /root part cannot be renamed/],
        ['made the root', 'part', [{ uuid: a, path: '/' }], 400, /Only the root/],
        [
          'an unknown uuid',
          'part',
          [
            { uuid: a, attributes: { 1001: 'lost' } },
            { uuid: unknown, path: 'P:/x/' },
          ],
          404,
          new RegExp(`\\[1\\]: There is no part ${unknown}`),
        ],
        ['a characteristic as part', 'part', [{ uuid: x, attributes: {} }], 404, /no part/],
        ['a part as characteristic', 'characteristic', [{ uuid: a, attributes: {} }], 404, /no characteristic/],
        ['a taken path', 'part', [{ uuid: b, path: `PP:/${t}/TAKEN/` }], 409, /\[0\]\.path: There is already a part at PP/],
        ['a taken path of a characteristic', 'characteristic', [{ uuid: x, path: `PC:/${t}/B/` }], 409, /already a characteristic/],
        [
          'a path twice',
          'part',
          [
            { uuid: b, path: `PP:/${t}/n/` },
            { uuid: a, path: `PP:/${t}/N/` },
          ],
          400,
          /\[1\]\.path: The path .* stands in \[0\] already/,
        ],
        [
          'a uuid twice',
          'part',
          [
            { uuid: b, attributes: {} },
            { uuid: `{${b.toUpperCase()}}`, attributes: {} },
          ],
          400,
          /\[1\]: The uuid .* stands in \[0\] already/,
        ],
        [
          'no parent',
          'part',
          [{ uuid: b, path: 'PP:/not there/b/' }],
          400,
          /\[0\]\.path: There is no part "not there" at P:\/not there\/ once/,
        ],
        ['a parent of the wrong kind', 'part', [{ uuid: b, path: `PPP:/${t}/x/b/` }], 400, /There is no part "x" at PP/],
        [
          'a parent that moves away',
          'part',
          [
            { uuid: b, path: `PPP:/${t}/taken/b/` },
            { uuid: (await plan.list('part', `partPath=${t}/taken`))[0]?.uuid, path: `PP:/${t}/away/` },
          ],
          400,
          /There is no part/,
        ],
        ['the path of a characteristic', 'part', [{ uuid: b, path: `PC:/${t}/q/` }], 400, /path of a part/],
        ['no array', 'part', { uuid: b } as never, 400, /array/],
        ['no uuid', 'part', [{ path: 'P:/x/' }], 400, /\[0\]\.uuid/],
        ['a comment of the wrong type', 'part', [{ uuid: b, comment: 5 }], 400, /\[0\]\.comment/],
      ];
      for (const [name, kind, body, status, message] of cases) {
        try {
          await expectRefused(() => plan.put(kind, body), status, message);
        } catch (error) {
          throw new Error(`${name}: ${(error as Error).message}`, { cause: error });
        }
      }
      await plan.put('part', []).expect(200);
    });

    it('refuses moving two parts into each other', async () => {
      const t = fresh();
      const [a, b] = await plan.create(`P:/${t}a/`, `P:/${t}b/`);
      const crossed = [
        { uuid: a, path: `PP:/${t}b/a/` },
        { uuid: b, path: `PP:/${t}a/b/` },
      ];
      await expectRefused(() => plan.put('part', crossed), 400, /There is no part|below itself/);
    });

    it('refuses moving a subtree whose paths become too long, and accepts the maximum length', async () => {
      const t = fresh();
      const long = 'n'.repeat(250);
      const names = [t, ...Array.from({ length: 7 }, () => long)];
      const paths = names.map((_, i) => `${'P'.repeat(i + 1)}:/${names.slice(0, i + 1).join('/')}/`);
      await plan.create(...paths);
      const [top] = await plan.list('part', `partPath=${t}&depth=0`);
      const lengthBytes = `p${names.join('/p')}/`.length;
      const room = 2000 - lengthBytes;
      await expectRefused(
        () => plan.put('part', [{ uuid: top?.uuid, path: `P:/${t}${'x'.repeat(room + 1)}/` }]),
        400,
        /longer than 2000 bytes/,
      );
      await plan.put('part', [{ uuid: top?.uuid, path: `P:/${t}${'x'.repeat(room)}/` }]).expect(200);
      const [longest] = await sql<{ bytes: number }>(inspection, 'SELECT max(octet_length(path)) AS bytes FROM plan_item');
      expect(longest?.bytes).toBe(2000);
    });
  });

  it('hides from users without write rights whether a path exists', async () => {
    const t = fresh();
    const [mine, theirs] = await plan.create(`P:/${t}/`, `P:/${t}2/`, `PP:/${t}2/b/`, `PP:/${t}/b/`);
    const principal = { name: 'stub', rightsKey: t, scopeOf: () => PathScope.below(`p${t}/`), holds: () => false };
    await inspection.as(principal, async () => {
      const answers = [
        [{ uuid: theirs, attributes: {} }],
        [{ uuid: theirs, attributes: { 1001: 'x' } }],
        [{ uuid: mine, path: `P:/${t}2/` }],
        [{ uuid: mine, path: `PP:/${t}2/b/` }],
        [{ uuid: mine, path: 'PP:/not there/b/' }],
      ].map((body) => async () => [JSON.stringify(body), (await plan.put('part', body)).status]);
      for (const answer of answers) expect(await answer()).toEqual([expect.any(String), 403]);
    });
  });
});
