import { setTimeout as sleep } from 'node:timers/promises';
import type { Alarm } from '@sinebar/client';
import { CommandError } from '../../command-line/command.ts';
import { alarmSchema, batches, ENTRIES, measurementSchema, unmarked } from './content.ts';
import { listAlarms } from './export-alarms.ts';
import { isForbidden } from './forbidden.ts';
import type { Import } from './import-checks.ts';

const REASON = 'Import of an archive: its alarms are told by the server that it comes from.';
/** Longest stop that a killed import leaves behind. One that goes on plans the next before this one ends. */
const STOP_MS = 15 * 60_000;
const RENEWAL_MS = 3 * 60_000;
/** The first stop tells the time of the server, from which the clock here may differ, and is replaced at once. */
const FIRST_STOP_MS = 12 * 3_600_000;
/** Alarms of one request. */
const ALARMS = 100;
const POLL_MS = 500;
const MAX_WAIT_MS = 30 * 60_000;

/** Finds the alarms of the archive that the server lacks, by their uuids. */
export async function findMissingAlarms({ client, archive, signal }: Import): Promise<Set<string>> {
  const missing = new Set<string>();
  if (!hasAlarms(archive)) return missing;
  for await (const { uuid } of archive.lines(ENTRIES.alarms, alarmSchema)) missing.add(uuid);
  if (missing.size === 0) return missing;
  for (const { uuid } of await listAlarms(client, { partPath: unmarked(archive.manifest.path), signal })) missing.delete(uuid);
  return missing;
}

/**
 * Plans a stop of the imported part until it is ended, so that nobody is told of its values, whose alarms the archive has.
 * @returns the end of the stop; `undefined` where the user may not plan one
 */
export async function planStop(
  { client, archive, signal }: Import,
  { stopMs = STOP_MS, renewalMs = RENEWAL_MS } = {},
): Promise<(() => Promise<void>) | undefined> {
  if (!hasAlarms(archive)) return undefined;
  const partPath = unmarked(archive.manifest.path);
  let current: string | undefined;
  let aheadMs = 0;
  const plan = async () => {
    const before = current;
    const until = new Date(Date.now() + aheadMs + (before === undefined ? FIRST_STOP_MS : stopMs)).toISOString();
    const { uuid, from } = await client.alarms.mute({ partPath, until, reason: REASON }, { signal });
    current = uuid;
    aheadMs = Date.parse(from) - Date.now();
    if (before !== undefined) await client.alarms.unmute(before);
  };
  try {
    await plan();
    await plan();
  } catch (error) {
    if (isForbidden(error)) return undefined;
    throw error;
  }
  const ended = new AbortController();
  const renewing = renew(plan, renewalMs, AbortSignal.any([signal, ended.signal]));
  return async () => {
    ended.abort();
    await renewing;
    await client.alarms.unmute(current!);
  };
}

/** Plans a stop again and again. A failed request has others behind it before the stop ends. */
async function renew(plan: () => Promise<void>, renewalMs: number, signal: AbortSignal): Promise<void> {
  while (await sleep(renewalMs, true, { signal }).catch(() => false)) await plan().catch(() => undefined);
}

/**
 * Stores the alarms that the server lacks, and deletes those that the imported values have raised there during stops of imports.
 * @returns sentences about what was left out
 */
export async function createAlarms(work: Import, missing: ReadonlySet<string>): Promise<string[]> {
  const { client, archive, progress, signal } = work;
  if (!hasAlarms(archive)) return [];
  progress.stage('Alarms', 'alarms', missing.size);
  try {
    await isJudged(work);
    const replaces = await findReplaced(work);
    for (const batch of batches(replaces, ALARMS)) await client.alarms.import([], { replaces: batch, signal });
    const refused: string[] = [];
    let waiting: Alarm[] = [];
    const send = async () => {
      refused.push(...(await client.alarms.import(waiting, { signal })).refused.map(({ message }) => message));
      progress.advance(waiting.length);
      waiting = [];
    };
    for await (const alarm of archive.lines(ENTRIES.alarms, alarmSchema)) {
      if (!missing.has(alarm.uuid)) continue;
      waiting.push(alarm);
      if (waiting.length === ALARMS) await send();
    }
    if (waiting.length > 0) await send();
    return refused.length === 0 ? [] : [`${refused.length} alarms were left out, the first because: ${refused[0]}`];
  } catch (error) {
    if (!isForbidden(error)) throw error;
    return ['Alarms were left out: the rights measurement:read and measurement:write are needed.'];
  }
}

/** Waits until the server has judged what was imported, and has assessed its processes. */
async function isJudged({ client, archive, signal }: Import): Promise<void> {
  const partPath = unmarked(archive.manifest.path);
  const [top] = await client.parts.list({ partPath, depth: 0, signal });
  for (const end = Date.now() + MAX_WAIT_MS; Date.now() < end; await sleep(POLL_MS, undefined, { signal })) {
    if (await client.alarms.isPending({ partPath, signal })) continue;
    if (top === undefined || (await client.analysis.statuses(top.uuid, { signal })).pending === undefined) return;
  }
  throw new CommandError('The server has not judged the imported values within 30 minutes. Run the import again later for their alarms.');
}

/** Finds the alarms that values of the archive have raised here during stops of imports of the same part. */
async function findReplaced({ client, archive, signal }: Import): Promise<string[]> {
  const { path } = archive.manifest;
  const partPath = unmarked(path);
  const stops = (await client.alarms.mutes({ partPath, from: new Date(0), signal })).filter(
    (stop) => stop.partPath === path && stop.reason === REASON,
  );
  const [first] = stops.map(({ from }) => from).sort();
  if (first === undefined) return [];
  const [archived, measurements] = [new Set<string>(), new Set<string>()];
  for await (const { uuid } of archive.lines(ENTRIES.alarms, alarmSchema)) archived.add(uuid);
  for (const name of archive.names(ENTRIES.measurements))
    for await (const { uuid } of archive.lines(name, measurementSchema)) measurements.add(uuid);
  const replaced: string[] = [];
  for (const { uuid, muted, raised } of await listAlarms(client, { partPath, from: first, signal })) {
    if (!muted || archived.has(uuid) || !stops.some(({ from, until }) => raised >= from && raised < until)) continue;
    const { measurementUuid, measurementUuids = [] } = await client.alarms.get(uuid, { signal });
    const about = [...measurementUuids, ...(measurementUuid === undefined ? [] : [measurementUuid])];
    if (about.every((measurement) => measurements.has(measurement))) replaced.push(uuid);
  }
  return replaced;
}

/** Whether the archive tells all alarms; those of format 1 have none. */
function hasAlarms(archive: Import['archive']): boolean {
  return archive.names(ENTRIES.alarms).length > 0;
}
