import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, it } from '@jest/globals';
import {
  CHROMIUM,
  createTestDatabase,
  describeWith,
  describeWithChromium,
  startBuiltProduct,
  testBucket,
  type StartedProduct,
  type TestDatabase,
} from '@sinebar/testing';
import { launchChromium, openWatchedPage, type WatchedPage } from '@sinebar/testing/browser';
import { SERVICES, type ServiceName } from '@sinebar/distributed';
import type { Browser, Page } from 'playwright-core';
import { NGINX, startNginx } from './nginx.fixture.ts';

const LIMIT_MS = 120_000;
const CONTENT_MS = 30_000;
/** Argon2id of "feihc", cheap on purpose. */
const HASH = '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE';
const RIGHTS = ['plan', 'measurement', 'rawData'].flatMap((what) => [`${what}:read`, `${what}:write`]);
const POLICY = {
  roles: { all: { grants: [{ path: '/', rights: RIGHTS }, { rights: ['configuration:write'] }] } },
  users: { chief: { password: HASH, roles: ['all'] } },
};
/** Definitions of nominal value and tolerance limits. */
const LIMITS = [2101, 2110, 2111].map((key) => ({ key, description: String(key), type: 'Float', definitionType: 'AttributeDefinition' }));
const AUTHORIZATION = `Basic ${Buffer.from('chief:feihc').toString('base64')}`;
const PART = randomUUID();
const DIAMETER = randomUUID();
const MEASURED = [20.012, 19.987, 20.003, 19.994, 20.021];

const suite = CHROMIUM === undefined ? withoutChromium : describeWith;

suite(['postgres', 'nats', 's3'], `the console of the distributed product behind ${NGINX ? 'nginx' : 'the reverse proxy'}`, () => {
  let folder: string;
  let database: TestDatabase;
  let product: StartedProduct;
  let proxy: { origin: string; stop: () => Promise<void> } | undefined;
  let origin: string;
  let browser: Browser;
  let watched: WatchedPage;
  let page: Page;

  const post = async (path: string, body: string | object, headers: Record<string, string> = { 'Content-Type': 'application/json' }) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { status } = await fetch(`${origin}${path}`, {
      method: 'POST',
      body: text,
      headers: { ...headers, Authorization: AUTHORIZATION },
    });
    expect(status).toBe(201);
  };
  const measure = (value: number, time: string) =>
    post('/dataServiceRest/values', [
      { uuid: randomUUID(), partUuid: PART, attributes: { 4: time }, characteristics: { [DIAMETER]: { 1: String(value) } } },
    ]);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'sinebar-distributed-console-'));
    const [policy, state] = [join(folder, 'policy.yaml'), join(folder, 'state.json')];
    writeFileSync(policy, JSON.stringify(POLICY));
    database = await createTestDatabase();
    const env = {
      DATABASE_URL: database.url,
      S3_BUCKET: testBucket(),
      SINEBAR_AUTHENTICATION: 'basic',
      SINEBAR_ACCESS_POLICY: policy,
      SINEBAR_STATE_FILE: state,
    };
    [product, browser] = await Promise.all([startBuiltProduct('distributed', { env }), launchChromium()]);
    if (NGINX) proxy = await startNginx(NGINX, upstreamsOf(state));
    origin = proxy?.origin ?? product.url;
    await post('/dataServiceRest/configuration/characteristic', LIMITS);
    await post('/dataServiceRest/parts', [{ uuid: PART, path: 'P:/Pump/' }]);
    await post('/dataServiceRest/characteristics', [
      { uuid: DIAMETER, path: 'PC:/Pump/Diameter/', attributes: { 2101: '20', 2110: '19.95', 2111: '20.05' } },
    ]);
    for (const [i, value] of MEASURED.entries()) await measure(value, `2026-01-0${i + 1}T08:00:00Z`);
    await post(`/rawDataServiceRest/rawData/part/${PART}`, 'ground, then polished', {
      'Content-Type': 'text/plain',
      'Content-Disposition': 'attachment; filename="note.txt"',
    });
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    await proxy?.stop();
    await product?.running.stop(20_000);
    await database?.drop();
    rmSync(folder, { recursive: true, force: true });
  }, LIMIT_MS);
  afterEach(async () => {
    await watched?.close();
    expect(watched.problems).toEqual([]);
  });

  it(
    'shows parts, a characteristic and files after a sign-in by password, and a new value by an event',
    async () => {
      // The first request, without credentials, asks whether a sign-in is needed.
      watched = await openWatchedPage(browser, { origins: [origin], expected: /\b401\b/, locale: 'en-GB' });
      ({ page } = watched);
      page.setDefaultTimeout(CONTENT_MS);
      await page.goto(`${origin}/`);
      await page.getByLabel('Name').fill('chief');
      await page.getByLabel('Password').fill('feihc');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
      await page.getByRole('heading', { level: 1, name: 'The only characteristic is in limits.' }).waitFor();
      await page.getByRole('button', { name: /^live/ }).waitFor();

      await page.getByRole('treeitem', { name: /Pump/ }).click();
      await page.getByRole('heading', { level: 1, name: 'Pump' }).waitFor();
      await page.getByRole('link', { name: 'Files', exact: true }).last().click();
      await page.getByRole('button', { name: /note\.txt/ }).click();
      await page.getByText('ground, then polished').first().waitFor();

      await page.getByRole('treeitem', { name: /Pump/ }).click();
      await page
        .getByRole('link', { name: /Diameter/ })
        .first()
        .click();
      await page.getByRole('heading', { level: 1, name: /Diameter/ }).waitFor();
      await page.getByText(/^5$/).first().waitFor();
      await measure(20.044, '2026-01-08T08:00:00Z');
      await page.getByRole('button', { name: /1 new value/ }).click();
      await page.getByText(/^6$/).first().waitFor();
    },
    LIMIT_MS,
  );
});

function withoutChromium(_needs: unknown, name: string, fn: () => void): void {
  describeWithChromium(name, fn);
}

/** Reads the addresses of the services. */
function upstreamsOf(stateFile: string): Record<ServiceName, string[]> {
  const { services } = JSON.parse(readFileSync(stateFile, 'utf8')) as { services: { name: ServiceName; url: string }[] };
  return Object.fromEntries(
    SERVICES.map((name) => [name, services.filter((service) => service.name === name).map(({ url }) => url)]),
  ) as Record<ServiceName, string[]>;
}
