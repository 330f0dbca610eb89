import { describe, expect, it } from '@jest/globals';
import { Agent } from 'node:http';
import type { FollowedChange } from '../events/change-follower.ts';
import { readContent, type MeasuredPart, type ReadMeasurement } from './measurement-content.ts';
import { MeasurementLoad, type ChangeKind, type OwnMeasurement } from './measurement-load.ts';
import { problemsOf } from './measurement-verdict.ts';

const PART: MeasuredPart = { uuid: 'part', characteristics: ['a', 'b', 'c', 'd', 'e', 'f'] };
const NAMES = { create: 'MeasurementCreated', replace: 'MeasurementModified', delete: 'MeasurementDeleted' };

const own = (uuid: string, request: number | undefined, acknowledged: Partial<Record<ChangeKind, number>>): OwnMeasurement => ({
  uuid,
  part: PART,
  request,
  acknowledged: { create: 0, replace: 0, delete: 0, ...acknowledged },
  version: 2,
});
const read = (uuid: string, request: number): ReadMeasurement => ({ uuid, partUuid: PART.uuid, ...readContent(PART, request) });
const events = (uuid: string, ...kinds: ChangeKind[]): FollowedChange[] =>
  kinds.map((kind, i) => ({ event: NAMES[kind], data: { MeasurementUuid: uuid }, meta: { id: `${uuid} ${i}`, sequence: '' } }));

/** Three measurements of one writer, an uncertain request for two others, and two shared ones that were replaced twice. */
function scene(): { load: MeasurementLoad; stored: ReadMeasurement[]; changes: FollowedChange[] } {
  const load = new MeasurementLoad('http://127.0.0.1:9', [PART], new Agent());
  const doubtful = [own('d1', 4, { create: 1 }), own('d2', 4, { create: 1 })];
  load.own.push(own('kept', 2, { create: 1, replace: 1 }), own('removed', undefined, { create: 1, delete: 1 }), ...doubtful);
  load.doubts.push({ kind: 'replace', request: 5, measurements: doubtful });
  load.shared.push(own('s1', 1, { create: 1 }), own('s2', 1, { create: 1 }));
  load.replacements.push({ request: 7, begun: 10, acknowledged: 20 }, { request: 8, begun: 30, acknowledged: 40 });
  return {
    load,
    stored: [read('kept', 2), read('d1', 5), read('d2', 5), read('s1', 8), read('s2', 8)],
    changes: [
      ...events('kept', 'create', 'replace'),
      ...events('removed', 'create', 'delete'),
      ...['d1', 'd2'].flatMap((uuid) => events(uuid, 'create', 'replace')),
      ...['s1', 's2'].flatMap((uuid) => events(uuid, 'create', 'replace', 'replace')),
    ],
  };
}

type Scene = ReturnType<typeof scene>;
const verdict = ({ load, stored, changes }: Scene) => problemsOf(load, [PART], stored, changes);
const put = ({ stored }: Scene, measurement: ReadMeasurement) =>
  stored.splice(
    stored.findIndex(({ uuid }) => uuid === measurement.uuid),
    1,
    measurement,
  );
const without = <T>(list: T[], isMeant: (item: T) => boolean) => list.splice(list.findIndex(isMeant), 1);

describe('check of measurements after a load', () => {
  it('finds no problem in correct results, also with an event that came twice', () => {
    const right = scene();
    right.changes.push(...events('kept', 'create').slice(0, 1));
    expect(verdict(right)).toEqual([]);
  });

  it('accepts an uncertain request as done or not done, with its events', () => {
    const undone = scene();
    for (const uuid of ['d1', 'd2']) put(undone, read(uuid, 4));
    expect(verdict(undone)).toEqual(['d1', 'd2'].map((uuid) => expect.stringContaining(`${uuid} has the events`)));
    for (const uuid of ['d1', 'd2'])
      without(undone.changes, ({ event, data }) => event === NAMES.replace && data['MeasurementUuid'] === uuid);
    expect(verdict(undone)).toEqual([]);
  });

  it.each<[string, (scene: Scene) => unknown, string]>([
    ['an acknowledged measurement that is missing', ({ stored }) => without(stored, ({ uuid }) => uuid === 'kept'), 'kept is not stored'],
    ['a state before the acknowledged one', (all) => put(all, read('kept', 1)), 'kept is not stored'],
    ['a deleted measurement that is there', ({ stored }) => stored.push(read('removed', 3)), 'removed is not stored'],
    ['a half of a doubtful request', (all) => put(all, read('d2', 4)), 'replace 5 is stored in part'],
    ['a measurement that nobody sent', ({ stored }) => stored.push(read('x', 3)), 'x was never sent'],
    [
      'a value of another request',
      (all) => put(all, { ...read('kept', 2), characteristics: readContent(PART, 1).characteristics }),
      'torn',
    ],
    ['a value too few', (all) => delete all.stored[0]?.characteristics['a'], 'torn'],
    ['a number in another form', (all) => put(all, { ...read('kept', 2), ...cut(readContent(PART, 2)) }), 'torn'],
    ['a missing event', ({ changes }) => without(changes, ({ event }) => event === NAMES.delete), 'removed has the events'],
    [
      'an event too many',
      ({ changes }) => changes.push({ ...(changes[1] as FollowedChange), meta: { id: 'new', sequence: '' } }),
      'kept has',
    ],
    ['events in the wrong order', ({ changes }) => changes.splice(0, 2, ...changes.slice(0, 2).reverse()), 'wrong order'],
    ['shared measurements of two requests', (all) => put(all, read('s2', 7)), 'the states'],
    ['a shared state that was replaced', (all) => [put(all, read('s1', 7)), put(all, read('s2', 7))], 'request 8 came later'],
    ['what a reader saw', ({ load }) => load.problems.push('read torn'), 'read torn'],
  ])('finds %s', (_, spoil, problem) => {
    const wrong = scene();
    spoil(wrong);
    expect(verdict(wrong)).toContainEqual(expect.stringContaining(problem));
  });
});

/** Removes trailing zeros of the first number that has some. */
function cut(content: Pick<ReadMeasurement, 'attributes' | 'characteristics'>): typeof content {
  const text = JSON.stringify(content);
  return JSON.parse(text.replace(/("\d+\.\d*?)0+"/, '$1"')) as typeof content;
}
