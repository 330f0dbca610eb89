import { describe, expect, it } from '@jest/globals';
import type { ReceivedEvent } from './event-listener.ts';
import type { AnnouncedChange } from './event-load.ts';
import { READERS, type Reader } from './event-readers.ts';
import { eventProblemsOf } from './event-verdict.ts';

const [ALL] = READERS;

const change = (event: AnnouncedChange['event'], part: string, more: Partial<AnnouncedChange> = {}): AnnouncedChange => ({
  event,
  part,
  place: 'Line 1',
  ...(event === 'PartMoved' && { from: 'Line 1' }),
  writer: 0,
  outcome: 'acknowledged',
  ...more,
});
const pathsOf = (uuid: string) => ({ FromPath: `PP:/Line 1/${uuid}/`, ToPath: `PP:/Line 1/${uuid} moved/` });
const received = (place: number, name: string, uuid: string, id = `${name} ${uuid}`): ReceivedEvent => ({
  name,
  data: name.startsWith('RawData') ? { TargetUuid: uuid } : { PartUuid: uuid, ...(name === 'PartMoved' && pathsOf(uuid)) },
  meta: { id, time: '', sequence: `e.${place}.0` },
});
const changes = [
  change('PartCreated', 'a'),
  change('RawDataCreated', 'a'),
  change('PartMoved', 'a'),
  change('PartCreated', 'b', { writer: 1 }),
  change('PartMoved', 'b', { writer: 1, outcome: 'doubtful', happened: true }),
  change('PartDeleted', 'b', { writer: 1, outcome: 'doubtful', happened: false }),
  change('RawDataDeleted', 'c', { writer: -1, outcome: 'followed' }),
];
const good = [
  received(1, 'PartCreated', 'b'),
  received(2, 'PartCreated', 'a'),
  received(3, 'RawDataDeleted', 'c'),
  received(4, 'PartMoved', 'a'),
  received(5, 'PartMoved', 'b'),
  received(6, 'RawDataCreated', 'a'),
];

describe('check of received events', () => {
  it('accepts each order that keeps the order of a writer and a service, and repetitions', () => {
    expect(eventProblemsOf(changes, good, ALL)).toEqual([]);
    expect(eventProblemsOf(changes, [...good.slice(0, 3), ...good], ALL)).toEqual([]);
  });

  it.each([
    ['a missing event', good.slice(1), ['PartCreated b is missing']],
    ['a missing one that only followed', good.filter(({ name }) => name !== 'RawDataDeleted'), ['RawDataDeleted c is missing']],
    ['a doubtful one that happened', good.filter(({ meta }) => meta.id !== 'PartMoved b'), ['PartMoved b happened but was not sent']],
    ['a doubtful one that did not happen', [...good, received(7, 'PartDeleted', 'b')], ['PartDeleted b was sent but did not happen']],
    ['one that nobody asked for', [...good, received(7, 'PartDeleted', 'x')], ['PartDeleted x was sent, but no request caused it']],
    ['one under two ids', [...good, received(7, 'PartMoved', 'a', 'other')], ['PartMoved a came twice, under two ids']],
    ['a gap', [...good, received(0, 'Gap', '')], ['a Gap behind 6 events']],
    [
      'another order',
      [
        received(1, 'PartMoved', 'a'),
        received(2, 'PartCreated', 'b'),
        ...good.slice(1).filter(({ meta }) => meta.id !== 'PartMoved a'),
      ].map((event, i) => ({ ...event, meta: { ...event.meta, sequence: `e.${i + 1}.0` } })),
      ['PartMoved a came before PartCreated a, which was answered before it was asked for'],
    ],
    [
      'a place in the stream before the last',
      [...good.slice(0, 5), received(4, 'RawDataCreated', 'a')],
      ['RawDataCreated a has the sequence e.4.0, but came later'],
    ],
  ])('reports %s', (_, events, problems) => expect(eventProblemsOf(changes, events, ALL)).toEqual(problems));

  describe('for a user with limited rights', () => {
    const reader: Reader = { name: 'x', plan: ['Line 1'], rawData: ['Line 2'] };
    const moves = [
      change('PartCreated', 'a'),
      change('PartCreated', 'b', { place: 'Line 10' }),
      change('RawDataCreated', 'a'),
      change('RawDataCreated', 'b', { place: 'Line 2' }),
      change('PartMoved', 'a', { from: 'Line 1', place: 'Line 2' }),
      change('PartMoved', 'b', { from: 'Line 10', place: 'Line 1' }),
      change('PartMoved', 'c', { from: 'Line 10', place: 'Line 2' }),
      change('PartCreated', 'd', { place: 'Line 2', outcome: 'doubtful', happened: true }),
      change('PartCreated', 'Line 1', { outcome: 'earlier' }),
    ];
    const moved = (place: number, uuid: string, FromPath: string, ToPath: string) => ({
      ...received(place, 'PartMoved', uuid),
      data: { PartUuid: uuid, FromPath, ToPath },
    });
    const away = moved(3, 'a', 'PP:/Line 1/a/', '');
    const here = moved(4, 'b', '', 'PP:/Line 1/b moved/');
    const seen = [received(1, 'PartCreated', 'a'), received(2, 'RawDataCreated', 'b'), away, here];

    it('accepts exactly the permitted events, with or without earlier ones', () => {
      expect(eventProblemsOf(moves, seen, reader)).toEqual([]);
      expect(eventProblemsOf(moves, [received(0, 'PartCreated', 'Line 1'), ...seen], reader)).toEqual([]);
    });

    it.each([
      ['a missing move away', seen.filter((event) => event !== away), ['PartMoved a is missing']],
      [
        'a path that may not be seen',
        [...seen.slice(0, 2), moved(3, 'a', 'PP:/Line 1/a/', 'PP:/Line 2/a moved/'), here],
        ['PartMoved a came with the ToPath "PP:/Line 2/a moved/" instead of ""'],
      ],
      [
        'a path that is missing',
        [...seen.slice(0, 3), moved(4, 'b', '', '')],
        ['PartMoved b came with the ToPath "" instead of "PP:/Line 1/b moved/"'],
      ],
      ['a place with a like name', [...seen, received(5, 'PartCreated', 'b')], ['PartCreated b was sent to a user who may not see it']],
      ['a file', [...seen, received(5, 'RawDataCreated', 'a')], ['RawDataCreated a was sent to a user who may not see it']],
      ['a move among others', [...seen, received(5, 'PartMoved', 'c')], ['PartMoved c was sent to a user who may not see it']],
      ['a doubtful one', [...seen, received(5, 'PartCreated', 'd')], ['PartCreated d was sent to a user who may not see it']],
    ])('reports %s', (_, events, problems) => expect(eventProblemsOf(moves, events, reader)).toEqual(problems));
  });
});
