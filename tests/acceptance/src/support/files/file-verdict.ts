import type { FollowedChange } from '../events/change-follower.ts';
import type { FileChange, FileChangeKind, FileLoad, FileState } from './file-load.ts';

export interface StoredFile {
  part: string;
  key: number;
  fileName: string;
  size: number;
  /** MD5 of downloaded bytes, 32 hexadecimal digits. */
  md5: string;
}

const EVENTS: Readonly<Record<FileChangeKind, { event: string; nameOf: (data: Record<string, unknown>) => unknown }>> = {
  create: { event: 'RawDataCreated', nameOf: (data) => data['Filename'] },
  replace: { event: 'RawDataModified', nameOf: (data) => data['NewFilename'] },
  rename: { event: 'RawDataModified', nameOf: (data) => data['NewFilename'] },
  delete: { event: 'RawDataDeleted', nameOf: (data) => data['Filename'] },
};

/** Finds violations in the stored state and the events after a load; empty when there are none. */
export function fileProblemsOf(
  load: Pick<FileLoad, 'files' | 'changes' | 'problems'>,
  stored: readonly StoredFile[],
  followed: readonly FollowedChange[],
): string[] {
  const problems = [...load.problems];
  const byName = new Map<string, StoredFile>();
  for (const file of stored) {
    if (byName.has(file.fileName)) problems.push(`${file.fileName} is stored twice`);
    byName.set(file.fileName, file);
  }
  const states = new Map<string, FileState>();
  for (const { after } of load.changes) if (after) states.set(after.name, after);
  for (const file of stored) {
    const state = states.get(file.fileName);
    if (!state) problems.push(`${file.fileName} was never sent`);
    else if (state.md5 !== file.md5 || state.size !== file.size)
      problems.push(`the bytes of ${file.fileName} are not those that were sent`);
  }
  const doubtful = load.changes.filter(({ outcome }) => outcome === 'doubtful');
  const settled = settledNames(load, doubtful);
  for (const change of doubtful) if (outcomeOf(change, byName) === 'neither') problems.push(`${nameOf(change)} is stored in part`);
  for (const [name, key] of settled)
    if (byName.get(name)?.key !== key) problems.push(`${name} is not stored under the key ${key}, as it was acknowledged`);
  for (const name of byName.keys())
    if (states.has(name) && !settled.has(name) && !doubtful.some((change) => [change.before?.name, change.after?.name].includes(name)))
      problems.push(`${name} is stored, though it was replaced, deleted or never complete`);
  return [...problems, ...eventProblems(load.changes, byName, followed)];
}

/** Returns the names of files that certainly exist, with their keys. */
function settledNames({ files }: Pick<FileLoad, 'files'>, doubtful: readonly FileChange[]): Map<string, number> {
  const open = new Set(doubtful.map(({ before }) => before?.name));
  return new Map(files.flatMap(({ state, key }) => (state && !open.has(state.name) ? [[state.name, key]] : [])));
}

/** Checks that a change happened completely or not at all. */
function outcomeOf({ before, after }: FileChange, stored: ReadonlyMap<string, StoredFile>): 'done' | 'undone' | 'neither' {
  const [isBefore, isAfter] = [before && stored.has(before.name), after && stored.has(after.name)];
  if (isAfter === true) return isBefore === true ? 'neither' : 'done';
  if (isBefore === true) return 'undone';
  if (after === undefined) return 'done';
  return before === undefined ? 'undone' : 'neither';
}

/** Checks that every change that happened has its event, repeated only under the same id, and that there is no other event. */
function eventProblems(
  changes: readonly FileChange[],
  stored: ReadonlyMap<string, StoredFile>,
  followed: readonly FollowedChange[],
): string[] {
  const problems: string[] = [];
  const announced = new Map<string, Set<string>>();
  for (const { event, data, meta } of followed) {
    const kind = Object.values(EVENTS).find((each) => each.event === event);
    if (!kind) continue;
    const what = `${event} ${String(kind.nameOf(data))}`;
    announced.set(what, (announced.get(what) ?? new Set()).add(meta.id));
  }
  for (const change of changes) {
    const what = `${EVENTS[change.kind].event} ${nameOf(change)}`;
    const count = announced.get(what)?.size ?? 0;
    const happened = change.outcome === 'doubtful' ? outcomeOf(change, stored) === 'done' : change.outcome === 'acknowledged';
    if (count !== (happened ? 1 : 0)) problems.push(`${what} was announced ${count} times; it ${happened ? 'happened' : 'did not happen'}`);
    announced.delete(what);
  }
  for (const what of announced.keys()) problems.push(`${what} was announced, but no request caused it`);
  return problems;
}

function nameOf({ before, after }: FileChange): string {
  return after?.name ?? before?.name ?? '';
}
