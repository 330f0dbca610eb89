import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../requests/rest-client.ts';
import type { ChangeFollower } from './change-follower.ts';

const PAUSE_MS = 20;
const AT_ONCE = 50;

/** Reads each created measurement when its event arrives, and notes those that could not be read then. */
export class EarlyEvents {
  private readonly absent = new Set<string>();
  private readonly url: string;
  private readonly follower: ChangeFollower;
  private readonly agent: Agent;
  private isStopping = false;
  private running: Promise<void> = Promise.resolve();
  private read = 0;

  constructor(url: string, follower: ChangeFollower, agent: Agent) {
    this.url = url;
    this.follower = follower;
    this.agent = agent;
  }

  start(): void {
    this.running = this.watch();
  }

  /** @returns measurements whose event came before they could be read, and how many were read */
  async stop(): Promise<{ early: string[]; read: number }> {
    this.isStopping = true;
    await this.running;
    // A measurement may have been deleted between its event and the request.
    return { early: [...this.absent].filter((uuid) => !this.follower.has('MeasurementDeleted', uuid)), read: this.read };
  }

  private async watch(): Promise<void> {
    let next = 0;
    while (!this.isStopping) {
      const arrived = this.follower.changes.slice(next, next + AT_ONCE);
      next += arrived.length;
      const created = arrived.filter(({ event }) => event === 'MeasurementCreated').map(({ data }) => String(data['MeasurementUuid']));
      if (created.length > 0) await this.check(created);
      else await pause(PAUSE_MS);
    }
  }

  private async check(uuids: readonly string[]): Promise<void> {
    const path = `/dataServiceRest/measurements?measurementUuids={${uuids.join()}}`;
    const answer = await send(this.url, { path, agent: this.agent }).catch(() => undefined);
    if (answer?.status !== 200) return;
    this.read += uuids.length;
    const found = new Set((answer.json() as { uuid: string }[]).map(({ uuid }) => uuid));
    for (const uuid of uuids) if (!found.has(uuid)) this.absent.add(uuid);
  }
}
