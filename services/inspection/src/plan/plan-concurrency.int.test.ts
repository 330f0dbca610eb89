import { randomUUID } from 'node:crypto';
import { describeWith, eventually } from '@sinebar/testing';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { size } from '@sinebar/testing/size';
import { lockIsAwaited, startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { define, PlanClient, sql, type ReadItem } from './plan-client.fixture.ts';
import { expectConsistentPlan } from './plan-consistency.fixture.ts';
import { PlanReplay } from './plan-replay.fixture.ts';

const SECONDS = size({ short: 3, long: 60 });
/** Time for a busy machine to make enough changes, milliseconds. */
const EXTRA_MS = 30_000;
const CLIENTS = 4;
/** Few names, so that changes conflict. */
const NAMES = ['a', 'B', 'c', 'D'];
const MAX_DEPTH = 5;
const ALLOWED = new Set([200, 201, 400, 404, 409]);

describeWith(['postgres'], 'concurrent changes of one plan', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection({ SINEBAR_VERSIONING: 'on' });
    await define(
      inspection,
      { key: 1001, entity: 'part', type: 'AlphaNumeric' },
      { key: 2001, entity: 'characteristic', type: 'AlphaNumeric' },
    );
  });
  afterAll(() => inspection.stop());

  const any = <T>(items: readonly T[]): T | undefined => items[Math.floor(Math.random() * items.length)];
  const isPart = ({ path }: ReadItem) => !/C:/.test(path);
  const kindOf = (item: ReadItem) => (isPart(item) ? 'part' : 'characteristic');
  const childPath = ({ path }: ReadItem, marker: 'P' | 'C', name: string) =>
    path === '/' ? `${marker}:/${name}/` : `${path.replace(':', `${marker}:`)}${name}/`;
  const depthOf = ({ path }: ReadItem) => path.indexOf(':');

  /** Sends one change of a plan that other clients change at the same time. */
  const change = async (): Promise<{ status: number; body: unknown }> => {
    const items = await plan.planItems();
    const parts = items.filter(isPart);
    const item = any(items.slice(1));
    const part = any(parts) as ReadItem;
    const [name = 'a', other] = [any(NAMES), any(items.slice(1))];
    const roll = Math.random();
    if (!item || !other || items.length < 10 || roll < 0.25) {
      if (depthOf(part) >= MAX_DEPTH) return plan.get('parts/count');
      return plan.post('part', [{ uuid: randomUUID(), path: childPath(part, 'P', name), comment: 'new' }]);
    }
    if (roll < 0.4) {
      const above = any(items.filter((each) => depthOf(each) < MAX_DEPTH)) ?? part;
      return plan.post('characteristic', [{ uuid: randomUUID(), path: childPath(above, 'C', name) }]);
    }
    const kind = kindOf(item);
    const marker = kind === 'part' ? 'P' : 'C';
    const siblingPath = item.path.replace(/[^/]+\/$/, `${name}/`);
    if (roll < 0.55) return plan.put(kind, [{ uuid: item.uuid, path: siblingPath }]);
    if (roll < 0.7) {
      const own = item.path.split('/').at(-2) ?? 'a';
      return plan.put(kind, [{ uuid: item.uuid, path: childPath(part, marker, kind === 'part' ? name : own), comment: 'moved' }]);
    }
    if (roll < 0.8 && kindOf(other) === kind) {
      return plan.put(kind, [
        { uuid: item.uuid, path: other.path },
        { uuid: other.uuid, path: item.path },
      ]);
    }
    if (roll < 0.88) return plan.put(kind, [{ uuid: item.uuid, attributes: { [kind === 'part' ? 1001 : 2001]: randomUUID() } }]);
    if (roll < 0.95 || items.length < 25) return plan.get(`inspectionPlanItems?itemUuids={${item.uuid}}&depth=9&withHistory=true`);
    return plan.delete(`${kind}s/${item.uuid}`);
  };

  it(
    `keep it consistent for ${SECONDS} s, and each change has its event [D7.4]`,
    async () => {
      const end = Date.now() + SECONDS * 1000;
      const statuses = new Map<string, number>();
      const isEnough = () => (statuses.get('200') ?? 0) > 20 && (statuses.get('201') ?? 0) > 10;
      const client = async () => {
        while (Date.now() < end || (!isEnough() && Date.now() < end + EXTRA_MS)) {
          const { status, body } = await change();
          if (!ALLOWED.has(status)) throw new Error(`${status}: ${JSON.stringify(body)}`);
          statuses.set(String(status), (statuses.get(String(status)) ?? 0) + 1);
        }
      };
      await Promise.all(Array.from({ length: CLIENTS }, client));
      await expectConsistentPlan(inspection);

      const replay = new PlanReplay();
      replay.applyAll(await inspection.envelopes());
      const rows = await sql<{ uuid: string; parent: string | null; path: string; kind: string }>(
        inspection,
        'SELECT item.uuid, parent.uuid AS parent, item.path, item.kind FROM plan_item item LEFT JOIN plan_item parent ON parent.id = item.parent_id',
      );
      expect([...replay.parents().keys()].sort()).toEqual(rows.map(({ uuid }) => uuid).sort());
      const known = replay.paths();
      for (const { uuid, path, kind } of rows) {
        if (kind === 'part' || known.has(uuid)) expect([uuid, known.get(uuid)]).toEqual([uuid, path]);
      }
      // A run with few successful changes, or without conflicts, proves nothing.
      expect({ statuses, isEnough: isEnough() }).toMatchObject({ isEnough: true });
      expect([...statuses.keys()].some((status) => status >= '400')).toBe(true);
      // A background job may hold a connection for a short time.
      await eventually(() => expect(inspection.database.poolUsage().requests).toMatchObject({ used: 0, waiting: 0 }));
    },
    (SECONDS + 30) * 1000 + EXTRA_MS,
  );

  it('repeat a change after a deadlock', async () => {
    const t = `deadlock${randomUUID()}`;
    const [a, b] = await plan.create(`P:/${t}a/`, `P:/${t}b/`);
    const options = { signal: AbortSignal.timeout(20_000), statementTimeoutMs: 20_000 };
    const body = [
      { uuid: a, attributes: { 1001: '1' } },
      { uuid: b, attributes: { 1001: '2' } },
    ];
    const before = (await inspection.announced()).length;
    // A session without the plan lock locks b and then a, while the change locks a and then b.
    let status: Promise<number> | undefined;
    await inspection.database.write(options, async (session) => {
      await session.query('SELECT FROM plan_item WHERE uuid = $1 FOR UPDATE', [b]);
      await session.query(`SET LOCAL deadlock_timeout = '10s'`);
      status = plan.put('part', body).then((answer) => answer.status);
      await lockIsAwaited(inspection.database, session);
      await session.query('SELECT FROM plan_item WHERE uuid = $1 FOR UPDATE', [a]);
    });
    expect(await status).toBe(200);
    expect((await plan.list('part', `partUuids={${a},${b}}`)).map(({ attributes }) => attributes['1001'])).toEqual(['1', '2']);
    expect((await inspection.announced()).slice(before)).toHaveLength(2);
    const [state] = await sql<{ revision: number }>(inspection, 'SELECT revision FROM server_state');
    expect((await plan.one('part', a as string)).version).toBe(state?.revision);
  });
});
