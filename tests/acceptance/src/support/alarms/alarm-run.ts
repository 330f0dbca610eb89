import { expect } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import type { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { SinebarClient } from '@sinebar/client';
import type { Alarm } from '@sinebar/contracts';
import { reportFigures } from '@sinebar/testing';
import { ChangeFollower } from '../events/change-follower.ts';
import { figuresOf } from '../product/figures.ts';
import { until } from '../requests/rest-client.ts';
import { AlarmLoad, mustSucceed } from './alarm-load.ts';
import { alarmEventProblemsOf, alarmProblemsOf, messageProblemsOf } from './alarm-verdict.ts';
import { MessageReceiver } from './message-receiver.ts';

/** Time in which nothing else may be raised or told. */
const CALM_MS = 1500;
/** A message whose sender was killed is sent again after 90 s. */
export const TOLD_LIMIT_MS = 300_000;
const PAGE = 10_000;
const PROBLEMS_SHOWN = 10;
const LIMIT_KEYS = [2110, 2111];

/** Writers of known runs, and a subscriber and a follower of the events that hear of their alarms. */
export class AlarmRun {
  private readonly url: string;
  private readonly loads: readonly AlarmLoad[];
  private readonly receiver = new MessageReceiver();
  private readonly follower: ChangeFollower;

  /** @param parts number of parts, each of which has a writer */
  constructor(url: string, agent: Agent, parts: number) {
    this.url = url;
    this.loads = Array.from({ length: parts }, () => new AlarmLoad(url, agent));
    this.follower = new ChangeFollower(url, agent);
  }

  /** Creates the parts and subscribes, and begins to write. The product must allow webhooks to 127.0.0.1. */
  async start(): Promise<void> {
    const limits = LIMIT_KEYS.map((key) => ({ key, description: '', type: 'Float', definitionType: 'AttributeDefinition' }));
    await mustSucceed(this.url, 'POST', '/dataServiceRest/configuration/characteristic', limits);
    const secret = `whsec_${randomBytes(32).toString('base64')}`;
    const receiver = { kind: 'webhook', url: await this.receiver.start(), shape: 'standard', secret };
    await mustSucceed(this.url, 'POST', '/alarmServiceRest/subscriptions', { receiver, partPath: '/' });
    await this.follower.start();
    for (const load of this.loads) await load.prepare();
    for (const load of this.loads) load.start();
  }

  async stop(): Promise<void> {
    await this.receiver.stop();
  }

  /** Number of runs that were written until now. */
  countRuns(): number {
    return sum(this.loads.map(({ runs }) => runs.length));
  }

  /** Ends the writers, and expects one alarm for each run, with its events and one message. @param title of the figures */
  async finish(title: string): Promise<void> {
    const { loads, receiver, follower } = this;
    for (const load of loads) await load.stop();
    const runs = loads.flatMap((load) => load.runs);
    let alarms: Alarm[] = [];
    const readProblems = async () => {
      alarms = await readAlarms(this.url);
      return alarmProblemsOf(runs, alarms);
    };
    await settled('alarms are as measured', readProblems);
    await settled('events arrive', () => alarmEventProblemsOf(alarms, follower.changes));
    await settled('all alarms are told', () => messageProblemsOf(alarms, receiver.messages));
    await pause(CALM_MS);
    const problems = [
      ...(await readProblems()),
      ...alarmEventProblemsOf(alarms, follower.changes),
      ...messageProblemsOf(alarms, receiver.messages),
    ];
    await follower.stop();
    const counts = {
      runs: runs.length,
      alarms: alarms.filter(({ state }) => state !== 'withdrawn').length,
      withdrawn: alarms.filter(({ state }) => state === 'withdrawn').length,
      measurements: sum(loads.map((load) => load.counts.measurements)),
      'requests repeated': sum(loads.map((load) => load.counts.repeated)),
      'messages received': receiver.received,
      messages: new Set([...receiver.messages.values()].flatMap((ids) => [...ids])).size,
      problems: problems.length,
    };
    reportFigures(`${title}: ${figuresOf(counts)}`);
    expect(problems.slice(0, PROBLEMS_SHOWN)).toEqual([]);
    expect(receiver.problems).toEqual([]);
    expect(loads.flatMap((load) => load.problems)).toEqual([]);
    // The failures must have hit the load.
    expect(counts['requests repeated']).toBeGreaterThan(0);
  }
}

async function readAlarms(url: string): Promise<Alarm[]> {
  const client = new SinebarClient({ url });
  const alarms: Alarm[] = [];
  let page: Alarm[];
  do {
    page = await client.alarms.list({ limitResult: PAGE, offset: alarms.length });
    alarms.push(...page);
  } while (page.length === PAGE);
  return alarms;
}

/** Waits until there are no problems; those that stay are found by their own assertion. */
async function settled(what: string, problems: () => string[] | Promise<string[]>): Promise<void> {
  await until(what, async () => (await problems()).length === 0, TOLD_LIMIT_MS).catch(() => undefined);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
