import { afterEach, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { describeWith } from '@sinebar/testing';
import { AlarmRun, TOLD_LIMIT_MS } from '../support/alarms/alarm-run.ts';
import { startDatabasePair } from '../support/product/database-pair.ts';
import { PROGRAMS, start, temporaryFolder } from '../support/product/product.ts';
import { isReady, until } from '../support/requests/rest-client.ts';

const PARTS = 3;
/** Runs that are written before the primary is killed, and after it. */
const RUNS = 10;
const RUNS_LIMIT_MS = 120_000;
const READY_LIMIT_MS = 120_000;

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

describeWith(['nats', 's3'], 'alarms on a synchronous standby of PostgreSQL', () => {
  it(
    'are raised and told once for each run when the primary is killed while values are judged and messages are due [D12.8, D12.11]',
    async () => {
      const pair = await startDatabasePair();
      cleanUp.push(() => pair.stop());
      const folder = temporaryFolder();
      cleanUp.push(() => folder.remove());
      const product = await start(PROGRAMS.distributed, {
        env: {
          DATABASE_URL: pair.url,
          S3_BUCKET: `sinebar-acceptance-${randomBytes(6).toString('hex')}`,
          SINEBAR_PORT: '0',
          SINEBAR_REPLICAS: '2',
          SINEBAR_STATE_FILE: join(folder.path, 'state.json'),
          SINEBAR_WEBHOOK_HOSTS: '127.0.0.1',
        },
      });
      cleanUp.push(() => product.stop());
      const { url } = product;
      await until('the product is ready', () => isReady(url), READY_LIMIT_MS);
      const agent = new Agent({ keepAlive: true });
      cleanUp.push(() => agent.destroy());
      const run = new AlarmRun(url, agent, PARTS);
      cleanUp.push(() => run.stop());
      await run.start();
      await until('alarms are raised', () => run.countRuns() >= RUNS, RUNS_LIMIT_MS);
      const before = run.countRuns();
      await pair.failOver();
      await until('the product is ready on the standby', () => isReady(url), READY_LIMIT_MS);
      await until('alarms are raised on the standby', () => run.countRuns() >= before + RUNS, RUNS_LIMIT_MS);
      await run.finish('alarms, one failover');
    },
    3 * TOLD_LIMIT_MS + 2 * (READY_LIMIT_MS + RUNS_LIMIT_MS),
  );
});
