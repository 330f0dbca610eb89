import { randomUUID } from 'node:crypto';
import { type TargetEntity } from '@sinebar/contracts';
import { describeWith } from '@sinebar/testing';
import { SERVICE_SUBJECTS, type ResolveTargetsReply } from '@sinebar/runtime';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { startInspection, type RunningInspection } from '../running-inspection.fixture.ts';
import { MeasurementClient } from '../measurements/measurement-client.fixture.ts';
import { storeMeasurements } from '../measurements/stored-measurements.fixture.ts';
import { PlanClient } from '../plan/plan-client.fixture.ts';

describeWith(['postgres'], 'requests of other services about targets', () => {
  let inspection: RunningInspection;
  const plan = new PlanClient(() => inspection);
  beforeAll(async () => {
    inspection = await startInspection();
  });
  afterAll(() => inspection.stop());

  const resolve = async (...targets: TargetEntity[]) =>
    (
      (await inspection.bus.request(
        SERVICE_SUBJECTS.resolveTargets,
        { targets },
        { signal: AbortSignal.timeout(5000), timeoutMs: 5000 },
      )) as ResolveTargetsReply
    ).targets;

  it('answers in the order of the request which targets exist and which part owns them', async () => {
    const [part, sub, x, y, z, gone] = (await plan.create(
      'P:/a/',
      'PP:/a/b/',
      'PPC:/a/b/x/',
      'PPC:/a/b/y/',
      'PPC:/a/b/z/',
      'PPC:/a/b/gone/',
    )) as [string, string, string, string, string, string];
    const [measurement, empty] = (await storeMeasurements(
      inspection,
      { part: sub, values: { [x]: 0, [gone]: 1 }, extras: { [y]: { 5: 'only this' } } },
      { part },
    )) as [string, string];
    await plan.delete(`characteristics/${gone}`).expect(200);
    const identity = expect.stringMatching(/^\d+(\.\d+)?$/) as unknown;
    const ofSub = { partUuid: sub, path: 'pa/pb/', identity };
    expect(
      await resolve(
        { entity: 'Measurement', uuid: measurement },
        { entity: 'Value', uuid: `${measurement}|${z}` },
        { entity: 'Value', uuid: `${measurement}|${y}` },
        { entity: 'Value', uuid: `${measurement}|${x}` },
        { entity: 'Value', uuid: `${measurement}|${gone}` },
        { entity: 'Value', uuid: `${empty}|${x}` },
        { entity: 'Value', uuid: `${randomUUID()}|${x}` },
        { entity: 'Value', uuid: measurement },
        { entity: 'Measurement', uuid: x },
        { entity: 'Characteristic', uuid: measurement },
        { entity: 'Characteristic', uuid: x },
        { entity: 'Part', uuid: x },
        { entity: 'Part', uuid: part },
        { entity: 'Measurement', uuid: empty },
      ),
    ).toEqual([
      ofSub,
      null,
      { ...ofSub, version: 0 },
      { ...ofSub, version: 0 },
      null,
      null,
      null,
      null,
      null,
      null,
      ofSub,
      null,
      { partUuid: part, path: 'pa/', identity },
      { partUuid: part, path: 'pa/', identity },
    ]);
  });

  it('reports how often the values of a measurement were replaced, not its attributes [D5.5]', async () => {
    const [part, x] = (await plan.create('P:/versions/', 'PC:/versions/x/')) as [string, string];
    const [uuid] = (await storeMeasurements(inspection, { part, values: { [x]: 1 } })) as [string];
    const versionOf = async () => (await resolve({ entity: 'Value', uuid: `${uuid}|${x}` }))[0]?.version;
    const client = new MeasurementClient(() => inspection);
    const put = (resource: 'values' | 'measurements', body: object) => client.put(resource, [{ uuid, ...body }]).expect(200);
    const characteristics = { [x]: { 1: '2' } };
    expect(await versionOf()).toBe(0);
    await put('values', { characteristics });
    await put('measurements', { attributes: {} });
    expect(await versionOf()).toBe(1);
    await put('values', {});
    expect(await versionOf()).toBeUndefined();
    await put('values', { characteristics });
    expect(await versionOf()).toBe(3);
  });

  it('distinguishes items that were created again under their uuid from items that were changed', async () => {
    const [part, x] = (await plan.create('P:/once/', 'PC:/once/x/')) as [string, string];
    const [measurement] = (await storeMeasurements(inspection, { part, values: { [x]: 1 } })) as [string];
    const targets: TargetEntity[] = [
      { entity: 'Part', uuid: part },
      { entity: 'Characteristic', uuid: x },
      { entity: 'Measurement', uuid: measurement },
      { entity: 'Value', uuid: `${measurement}|${x}` },
    ];
    const identities = async () => (await resolve(...targets)).map((owner) => owner?.identity);
    const before = await identities();
    expect(new Set(before).size).toBeGreaterThanOrEqual(3);
    await plan.put('part', [{ uuid: part, path: 'P:/renamed/' }]).expect(200);
    expect(await identities()).toEqual(before);
    await plan.delete(`parts?partUuids=${part}`).expect(200);
    expect(await identities()).toEqual([undefined, undefined, undefined, undefined]);
    await plan.post('part', [{ uuid: part, path: 'P:/once/' }]).expect(201);
    await plan.post('characteristic', [{ uuid: x, path: 'PC:/once/x/' }]).expect(201);
    await storeMeasurements(inspection, { uuid: measurement, part, values: { [x]: 1 } });
    (await identities()).forEach((identity, index) => {
      expect(identity).toBeDefined();
      expect(identity).not.toBe(before[index]);
    });
  });
});
