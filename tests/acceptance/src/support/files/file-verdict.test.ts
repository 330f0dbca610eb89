import { describe, expect, it } from '@jest/globals';
import type { FollowedChange } from '../events/change-follower.ts';
import type { FileChange, FileLoad, FileState, OwnFile } from './file-load.ts';
import { fileProblemsOf, type StoredFile } from './file-verdict.ts';

const state = (name: string): FileState => ({ name, md5: `md5 of ${name}`, size: 5 });
const stored = (name: string, key: number): StoredFile => ({ part: 'p', key, fileName: name, md5: `md5 of ${name}`, size: 5 });
const own = (key: number, name?: string): OwnFile => ({ part: 'p', key, state: name === undefined ? undefined : state(name), version: 2 });
const change = (kind: FileChange['kind'], outcome: FileChange['outcome'], before?: string, after?: string): FileChange => ({
  kind,
  part: 'p',
  before: before === undefined ? undefined : state(before),
  after: after === undefined ? undefined : state(after),
  outcome,
});
let events = 0;
const event = (name: string, data: Record<string, unknown>): FollowedChange => ({
  event: name,
  data,
  meta: { id: `event ${(events += 1)}`, sequence: '' },
});

interface Scene {
  load: Pick<FileLoad, 'files' | 'changes' | 'problems'>;
  stored: StoredFile[];
  changes: FollowedChange[];
}

/** A replaced file, a deleted one, one whose replacement is uncertain and happened, and an interrupted upload. */
function scene(): Scene {
  return {
    load: {
      files: [own(0, 'b'), own(1), own(2, 'd')],
      problems: [],
      changes: [
        change('create', 'acknowledged', undefined, 'a'),
        change('replace', 'acknowledged', 'a', 'b'),
        change('create', 'acknowledged', undefined, 'c'),
        change('delete', 'acknowledged', 'c'),
        change('create', 'acknowledged', undefined, 'd'),
        change('replace', 'doubtful', 'd', 'e'),
        change('create', 'cut', undefined, 'f'),
      ],
    },
    stored: [stored('b', 0), stored('e', 2)],
    changes: [
      ...['a', 'c', 'd'].map((name) => event('RawDataCreated', { Filename: name })),
      event('RawDataModified', { OldFilename: 'a', NewFilename: 'b' }),
      event('RawDataModified', { OldFilename: 'd', NewFilename: 'e' }),
      event('RawDataDeleted', { Filename: 'c' }),
    ],
  };
}

const verdict = ({ load, stored: files, changes }: Scene) => fileProblemsOf(load, files, changes);
const without = <T>(list: T[], isMeant: (item: T) => boolean) => list.splice(list.findIndex(isMeant), 1);

describe('check of files after a load', () => {
  it('finds no problem in correct results, also with an event that came twice', () => {
    const right = scene();
    right.changes.push(right.changes[0] as FollowedChange);
    expect(verdict(right)).toEqual([]);
  });

  it('accepts an uncertain change as done or not done, with its event', () => {
    const undone = scene();
    undone.stored.splice(1, 1, stored('d', 2));
    expect(verdict(undone)).toEqual([expect.stringContaining('RawDataModified e was announced 1 times; it did not happen')]);
    without(undone.changes, ({ data }) => data['NewFilename'] === 'e');
    expect(verdict(undone)).toEqual([]);
  });

  it.each<[string, (scene: Scene) => unknown, string]>([
    ['a file that is missing', (all) => without(all.stored, ({ fileName }) => fileName === 'b'), 'b is not stored'],
    ['a file under another key', (all) => all.stored.splice(0, 1, stored('b', 7)), 'b is not stored under the key 0'],
    ['other bytes', (all) => all.stored.splice(0, 1, { ...stored('b', 0), md5: 'other' }), 'not those that were sent'],
    ['fewer bytes', (all) => all.stored.splice(0, 1, { ...stored('b', 0), size: 4 }), 'not those that were sent'],
    ['a state that was replaced', (all) => all.stored.push(stored('a', 3)), 'a is stored, though'],
    ['a file that was deleted', (all) => all.stored.push(stored('c', 1)), 'c is stored, though'],
    ['an upload that was cut', (all) => all.stored.push(stored('f', 4)), 'f is stored, though'],
    ['both states of a doubtful change', (all) => all.stored.push(stored('d', 5)), 'e is stored in part'],
    ['neither state of a doubtful change', (all) => without(all.stored, ({ fileName }) => fileName === 'e'), 'e is stored in part'],
    ['a file twice', (all) => all.stored.push(stored('b', 9)), 'b is stored twice'],
    ['a file that nobody sent', (all) => all.stored.push(stored('z', 9)), 'z was never sent'],
    [
      'a missing event',
      (all) => without(all.changes, ({ event: name }) => name === 'RawDataDeleted'),
      'RawDataDeleted c was announced 0 times',
    ],
    ['a second event', (all) => all.changes.push(event('RawDataCreated', { Filename: 'a' })), 'RawDataCreated a was announced 2 times'],
    [
      'an event of what was cut',
      (all) => all.changes.push(event('RawDataCreated', { Filename: 'f' })),
      'RawDataCreated f was announced 1 times',
    ],
    ['an event of nothing', (all) => all.changes.push(event('RawDataCreated', { Filename: 'z' })), 'no request caused it'],
    ['what a reader saw', (all) => all.load.problems.push('not what it was'), 'not what it was'],
  ])('finds %s', (_, spoil, problem) => {
    const wrong = scene();
    spoil(wrong);
    expect(verdict(wrong)).toContainEqual(expect.stringContaining(problem));
  });
});
