import type { Alarm, AlarmCount, AlarmKind, AlarmMute, AlarmState, ChangedAlarms, ImportedAlarms } from '@sinebar/contracts';
import { segment } from '../http/query-text.ts';
import type { RequestOptions, RestConnection } from '../http/rest-connection.ts';

/** Selects alarms; all conditions have to be met. */
export interface AlarmSelection extends RequestOptions {
  /** Only those in one of these states, and of one of these kinds. */
  state?: readonly AlarmState[];
  kind?: readonly AlarmKind[];
  /** Only alarms of this part itself, or of this characteristic. */
  partUuid?: string;
  characteristicUuid?: string;
  /** Only alarms of this part and everything below it. */
  partPath?: string;
  /** Only alarms that were raised at this time or later, and before `to`. */
  from?: Date | string;
  to?: Date | string;
  /** Only alarms that subscribers are told of; `false`: only those of planned stops, and of values measured long ago. */
  told?: boolean;
}

export interface AlarmPage extends AlarmSelection {
  /** Most alarms, at most 10,000; by default 1,000. */
  limitResult?: number;
  /** Newer alarms that are left out. */
  offset?: number;
}

/** Statement of a person about an alarm; absent members are removed from it. */
export interface AlarmChange {
  /** `withdrawn` is said by the server only. */
  state: Exclude<AlarmState, 'withdrawn'>;
  /** Key of an entry of the catalog of causes. */
  cause?: number;
  /** Key of an entry of the catalog of actions. */
  action?: number;
  note?: string;
}

/** Selects planned stops. */
export interface MuteSelection extends RequestOptions {
  /** Only those of this part and everything below it. */
  partPath?: string;
  /** Only those that end later; by default now. */
  from?: Date | string;
  /** Only those that begin earlier. */
  to?: Date | string;
}

export type NewMute = ({ partUuid: string } | { partPath: string }) & {
  /** Default: now. */
  from?: string;
  until: string;
  reason: string;
  uuid?: string;
};

const ALARMS = '/alarmServiceRest/alarms';
const MUTES = '/alarmServiceRest/mutes';

/** Alarms, and planned stops that keep them from being told. */
export class Alarms {
  private readonly connection: RestConnection;

  constructor(connection: RestConnection) {
    this.connection = connection;
  }

  /** Lists alarms, the newest first. @throws SinebarError 404 */
  list({ signal, ...query }: AlarmPage = {}): Promise<Alarm[]> {
    return this.connection.json({ method: 'GET', path: ALARMS, query: { ...query }, ...(signal && { signal }) });
  }

  /** Counts alarms. @throws SinebarError 404 */
  async count(selection: AlarmSelection = {}): Promise<number> {
    return (await this.readCount(selection)).count;
  }

  /** Tells whether values of the selected parts are still to be judged: there may soon be more alarms. @throws SinebarError 404 */
  async isPending(selection: Pick<AlarmSelection, 'partUuid' | 'characteristicUuid' | 'partPath' | 'signal'> = {}): Promise<boolean> {
    return (await this.readCount(selection)).pending === true;
  }

  /** @returns the alarm with its steps; `etag` is a condition for changes. @throws SinebarError 404 */
  async get(uuid: string, { signal }: RequestOptions = {}): Promise<Alarm & { etag: string }> {
    const response = await this.connection.answer({ method: 'GET', path: `${ALARMS}/${segment(uuid)}`, ...(signal && { signal }) });
    return { ...((await response.json()) as Alarm), etag: response.headers.get('etag') ?? '' };
  }

  /**
   * Acknowledges, closes or opens an alarm again, and replaces cause, action and note.
   * @param options.etag of the alarm that was read: refuses to overwrite the change of another
   * @throws SinebarError 400, 404; 409 for a state that does not follow; 412 when the alarm has changed
   */
  update(uuid: string, change: AlarmChange, { etag, signal }: RequestOptions & { etag?: string } = {}): Promise<Alarm> {
    const { state, cause, action, note } = change;
    return this.connection.json({
      method: 'PUT',
      path: `${ALARMS}/${segment(uuid)}`,
      json: { state, cause, action, note },
      ...(etag !== undefined && { headers: { 'If-Match': etag } }),
      ...(signal && { signal }),
    });
  }

  /**
   * Changes many alarms at once, at most 500. Cause, action and note that are not said stay as they are.
   * @param alarms with the state in which the caller saw each: one that has another state by now is refused
   * @returns which were changed, and why the others were not. @throws SinebarError 400
   */
  updateMany(
    alarms: readonly Pick<Alarm, 'uuid' | 'state'>[],
    { state, cause, action, note }: AlarmChange,
    { signal }: RequestOptions = {},
  ): Promise<ChangedAlarms> {
    const json = { alarms: alarms.map(({ uuid, state: was }) => ({ uuid, was })), state, cause, action, note };
    return this.connection.json({ method: 'PUT', path: ALARMS, json, ...(signal && { signal }) });
  }

  /**
   * Stores alarms as `get` of another server gave them, the oldest first, at most 500. Nobody is told; a known uuid stays as it is.
   * @param options.replaces uuids of alarms that the values raised here, during an own planned stop; they are deleted
   * @throws SinebarError 400
   */
  import(
    alarms: readonly Alarm[],
    { replaces = [], signal }: RequestOptions & { replaces?: readonly string[] } = {},
  ): Promise<ImportedAlarms> {
    return this.connection.json({ method: 'POST', path: ALARMS, json: { alarms, replaces }, ...(signal && { signal }) });
  }

  /** Lists planned stops, the latest beginning first. */
  mutes({ signal, ...query }: MuteSelection = {}): Promise<AlarmMute[]> {
    return this.connection.json({ method: 'GET', path: MUTES, query: { ...query }, ...(signal && { signal }) });
  }

  /** @returns the stop as it is stored. @throws SinebarError 400, 404; 409 for a uuid that exists */
  mute(stop: NewMute, { signal }: RequestOptions = {}): Promise<AlarmMute> {
    return this.connection.json({ method: 'POST', path: MUTES, json: stop, ...(signal && { signal }) });
  }

  /** Ends a planned stop now. @throws SinebarError 404 */
  unmute(uuid: string, { signal }: RequestOptions = {}): Promise<void> {
    return this.connection.done({ method: 'DELETE', path: `${MUTES}/${segment(uuid)}`, ...(signal && { signal }) });
  }

  private readCount({ signal, ...query }: AlarmSelection): Promise<AlarmCount> {
    return this.connection.json({ method: 'GET', path: `${ALARMS}/count`, query: { ...query }, ...(signal && { signal }) });
  }
}
