import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { send } from '../requests/rest-client.ts';

export interface FollowedChange {
  event: string;
  data: Record<string, unknown>;
  meta: { id: string; sequence: string };
}

interface Page {
  changes: FollowedChange[];
  next: string;
  gap?: true;
}

const FEED = '/eventServiceRest/changes';
const PAUSE_MS = 200;

/** Reads the feed of changes from its start on, across outages of the server. */
export class ChangeFollower {
  readonly changes: FollowedChange[] = [];
  private readonly url: string;
  private readonly agent: Agent;
  private next = '';
  private isStopping = false;
  private following: Promise<void> = Promise.resolve();

  constructor(url: string, agent: Agent) {
    this.url = url;
    this.agent = agent;
  }

  async start(): Promise<void> {
    this.next = (await this.page('')).next;
    this.following = this.follow();
  }

  /** Stops at the next page. @throws when the server no longer had the next events */
  async stop(): Promise<void> {
    this.isStopping = true;
    await this.following;
  }

  has(event: string, uuid: string): boolean {
    return this.changes.some((change) => change.event === event && Object.values(change.data).includes(uuid));
  }

  private async follow(): Promise<void> {
    while (!this.isStopping) {
      const page = await this.page(`?limit=10000&after=${encodeURIComponent(this.next)}`).catch(() => undefined);
      if (page?.gap) throw new Error('the feed of changes has a gap');
      if (page) {
        this.next = page.next;
        for (const change of page.changes) this.changes.push(change);
      }
      if (!page || page.changes.length === 0) await pause(PAUSE_MS);
    }
  }

  private async page(query: string): Promise<Page> {
    const answer = await send(this.url, { path: FEED + query, agent: this.agent });
    if (answer.status !== 200) throw new Error(`the feed of changes answered ${answer.status}`);
    return answer.json() as Page;
  }
}
