import { afterEach, expect, it } from '@jest/globals';
import { randomInt } from 'node:crypto';
import { Agent } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { describeUnless } from '@sinebar/testing';
import { size } from '@sinebar/testing/size';
import { AlarmRun, TOLD_LIMIT_MS } from '../support/alarms/alarm-run.ts';
import { areAllReady, serverCrash, serviceCrash } from '../support/product/crashes.ts';
import { figuresOf } from '../support/product/figures.ts';
import { ownServersKind } from '../support/product/variants.ts';
import { until } from '../support/requests/rest-client.ts';

const KILLS = size({ short: 4, long: 100 });
const PARTS = 3;
const CALM_MS = 1500;
const MS_PER_KILL = 60_000;
const READY_LIMIT_MS = 120_000;

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
      const agent = new Agent({ keepAlive: true });
      cleanUp.push(() => agent.destroy());
      const run = new AlarmRun(product.url, agent, PARTS);
      cleanUp.push(() => run.stop());
      await run.start();

      const killInspection = serviceCrash(product, 'inspection');
      const kills = {
        inspection: killInspection,
        database: serverCrash(variant, 'postgres'),
        NATS: serverCrash(variant, 'nats'),
        'both of inspection': async () => void (await Promise.all([killInspection(), killInspection()])),
      };
      const killed: Record<string, number> = {};
      for (let i = 0; i < KILLS; i += 1) {
        await pause(CALM_MS + randomInt(CALM_MS));
        const [name, kill] = Object.entries(kills)[i % Object.keys(kills).length]!;
        await kill();
        killed[name] = (killed[name] ?? 0) + 1;
        await until('all of it is ready', () => areAllReady(product), READY_LIMIT_MS);
      }
      await pause(CALM_MS);
      await run.finish(`alarms, killed: ${figuresOf(killed)}`);
      expect(run.countRuns()).toBeGreaterThan(KILLS);
    },
    2 * TOLD_LIMIT_MS + READY_LIMIT_MS + KILLS * MS_PER_KILL,
  );
});
