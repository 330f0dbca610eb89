import { afterEach, expect, it } from '@jest/globals';
import { randomBytes, randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { SinebarClient } from '@sinebar/client';
import type { Alarm } from '@sinebar/contracts';
import { describeUnless, reportFigures } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { AlarmLoad, mustSucceed } from '../support/alarms/alarm-load.ts';
import { alarmEventProblemsOf, alarmProblemsOf, messageProblemsOf } from '../support/alarms/alarm-verdict.ts';
import { MessageReceiver } from '../support/alarms/message-receiver.ts';
import { ChangeFollower } from '../support/events/change-follower.ts';
import { areAllReady, serverCrash, serviceCrash } from '../support/product/crashes.ts';
import { figuresOf } from '../support/product/figures.ts';
import { ownServersKind } from '../support/product/variants.ts';
import { until } from '../support/requests/rest-client.ts';

const KILLS = size({ short: 4, long: 100 });
const PARTS = 3;
const CALM_MS = 1500;
const MS_PER_KILL = 60_000;
const READY_LIMIT_MS = 120_000;
/** A message whose sender was killed is sent again after 90 s. */
const TOLD_LIMIT_MS = 300_000;
const PAGE = 10_000;
const PROBLEMS_SHOWN = 10;
const LIMIT_KEYS = [2110, 2111];

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

const own = await ownServersKind();
describeUnless(own.missing, 'alarms of two inspection services', () => {
  it(
    `are raised once for each run, with exactly its points, and told, while services and servers are killed ${KILLS} times [D12.1]`,
    async () => {
      const variant = await own.create();
      cleanUp.push(() => variant.remove());
      const product = await variant.start({ SINEBAR_REPLICAS: '2', SINEBAR_EVENTS_REPLICAS: '1', SINEBAR_WEBHOOK_HOSTS: '127.0.0.1' });
      cleanUp.push(() => product.stop());
      const { url } = product;
      const agent = new Agent({ keepAlive: true });
      cleanUp.push(() => agent.destroy());
      const receiver = new MessageReceiver();
      const address = await receiver.start();
      cleanUp.push(() => receiver.stop());
      await prepare(url, address);
      const follower = new ChangeFollower(url, agent);
      await follower.start();
      const loads = Array.from({ length: PARTS }, () => new AlarmLoad(url, agent));
      for (const load of loads) await load.prepare();

      const killInspection = serviceCrash(product, 'inspection');
      const kills = {
        inspection: killInspection,
        database: serverCrash(variant, 'postgres'),
        NATS: serverCrash(variant, 'nats'),
        'both of inspection': async () => void (await Promise.all([killInspection(), killInspection()])),
      };
      const killed: Record<string, number> = {};
      for (const load of loads) load.start();
      for (let i = 0; i < KILLS; i += 1) {
        await pause(CALM_MS + randomInt(CALM_MS));
        const [name, kill] = Object.entries(kills)[i % Object.keys(kills).length]!;
        await kill();
        killed[name] = (killed[name] ?? 0) + 1;
        await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
      }
      await pause(CALM_MS);
      for (const load of loads) await load.stop();

      const runs = loads.flatMap((load) => load.runs);
      let alarms: Alarm[] = [];
      const readProblems = async () => {
        alarms = await readAlarms(url);
        return alarmProblemsOf(runs, alarms);
      };
      await settled('alarms are as measured', readProblems);
      await settled('events arrive', () => alarmEventProblemsOf(alarms, follower.changes));
      await settled('all alarms are told', () => messageProblemsOf(alarms, receiver.messages));
      // Nothing else is raised or told afterwards.
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
      reportFigures(`alarms, killed: ${figuresOf(killed)}: ${figuresOf(counts)}`);
      expect(problems.slice(0, PROBLEMS_SHOWN)).toEqual([]);
      expect(receiver.problems).toEqual([]);
      expect(loads.flatMap((load) => load.problems)).toEqual([]);
      expect(runs.length).toBeGreaterThan(KILLS);
      // The kills must have hit the load.
      expect(counts['requests repeated']).toBeGreaterThan(0);
    },
    2 * TOLD_LIMIT_MS + READY_LIMIT_MS + KILLS * MS_PER_KILL,
  );
});

async function prepare(url: string, address: string): Promise<void> {
  const limits = LIMIT_KEYS.map((key) => ({ key, description: '', type: 'Float', definitionType: 'AttributeDefinition' }));
  await mustSucceed(url, 'POST', '/dataServiceRest/configuration/characteristic', limits);
  const secret = `whsec_${randomBytes(32).toString('base64')}`;
  const receiver = { kind: 'webhook', url: address, shape: 'standard', secret };
  await mustSucceed(url, 'POST', '/alarmServiceRest/subscriptions', { receiver, partPath: '/' });
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
