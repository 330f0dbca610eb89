import { afterEach, it } from '@jest/globals';
import { randomBytes } from 'node:crypto';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeWith } from '@sinebar/testing';
import { ChangeFollower } from '../support/events/change-follower.ts';
import { finishLoad } from '../support/measurements/finish-load.ts';
import { createMeasuredParts } from '../support/measurements/measurement-content.ts';
import { MeasurementLoad } from '../support/measurements/measurement-load.ts';
import { startDatabasePair } from '../support/product/database-pair.ts';
import { PROGRAMS, start, temporaryFolder } from '../support/product/product.ts';
import { isReady, until } from '../support/requests/rest-client.ts';

const WRITERS = 8;
const READERS = 4;
const SHARED = 5;
/** Duration of the load before and after the primary is killed. */
const LOAD_MS = 2000;

const cleanUp: (() => unknown)[] = [];
afterEach(async () => {
  for (const step of cleanUp.splice(0).reverse()) await step();
}, 120_000);

const what = 'a synchronous standby of PostgreSQL';

describeWith(['nats', 's3'], what, () => {
  it('takes over when the primary is killed under load: no acknowledged measurement and no event is lost [D2.3, D7.4]', async () => {
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
      },
    });
    cleanUp.push(() => product.stop());
    const { url } = product;
    await until('the product is ready', () => isReady(url));
    const agent = new Agent({ keepAlive: true });
    cleanUp.push(() => agent.destroy());
    const parts = await createMeasuredParts(url);
    const follower = new ChangeFollower(url, agent);
    await follower.start();
    const load = new MeasurementLoad(url, parts, agent);
    await load.createShared(SHARED);

    const stopLoad = load.start(WRITERS, READERS);
    /** Waits for the duration of the load, and until there are more acknowledged writes than writers. */
    const underLoad = async (before: number) => {
      await pause(LOAD_MS);
      await until('the writers write', () => load.counts.acknowledged > before + WRITERS, 60_000);
    };
    await underLoad(0);
    const before = load.counts.acknowledged;
    await pair.failOver();
    await until('the product is ready on the standby', () => isReady(url), 120_000);
    await underLoad(before);
    await stopLoad();

    await finishLoad(url, { load, parts, follower, title: 'one failover' });
  }, 240_000);
});
