import { describe, expect, it } from '@jest/globals';
import type { ReceivedEvent } from './event-listener.js';
import type { AnnouncedChange } from './event-load.js';
import { eventProblemsOf } from './event-verdict.js';

const change = (event: AnnouncedChange['event'], part: string, more: Partial<AnnouncedChange> = {}): AnnouncedChange => ({
  event,
  part,
  writer: 0,
  outcome: 'acknowledged',
  ...more,
});
const received = (place: number, name: string, uuid: string, id = `${name} ${uuid}`): ReceivedEvent => ({
  name,
  data: name.startsWith('RawData') ? { TargetUuid: uuid } : { PartUuid: uuid },
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

describe('the verdict on received events', () => {
  it('takes each order that keeps those of a writer and a service, and repetitions', () => {
    expect(eventProblemsOf(changes, good)).toEqual([]);
    expect(eventProblemsOf(changes, [...good.slice(0, 3), ...good])).toEqual([]);
  });

  it.each([
    ['a missing event', good.slice(1), ['PartCreated b is missing']],
    ['a missing one that only followed', good.filter(({ name }) => name !== 'RawDataDeleted'), ['RawDataDeleted c is missing']],
    ['a doubtful one that happened', good.filter(({ meta }) => meta.id !== 'PartMoved b'), ['PartMoved b happened but was not told']],
    ['a doubtful one that did not happen', [...good, received(7, 'PartDeleted', 'b')], ['PartDeleted b was told but did not happen']],
    ['one that nobody asked for', [...good, received(7, 'PartDeleted', 'x')], ['PartDeleted x was told, but nobody asked for it']],
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
  ])('tells of %s', (_, events, problems) => expect(eventProblemsOf(changes, events)).toEqual(problems));
});
