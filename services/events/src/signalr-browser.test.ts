import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { CHROMIUM, describeWithChromium, eventually } from '@sinebar/testing';
import { chromium, type Browser, type Page } from 'playwright-core';
import { TestBench } from './bench.fixture.ts';
import { TestAuthenticator } from './gateway.fixture.ts';
import { TRANSPORTS } from './signalr-client.fixture.ts';
import { partCreated } from './test-changes.fixture.ts';

/** Time limit for a browser that starts on a loaded machine. */
const LIMIT_MS = 120_000;
/** The build of the stock client for browsers. */
const CLIENT_SCRIPT = createRequire(import.meta.url).resolve('@microsoft/signalr/dist/browser/signalr.js');

/** Program of the page: connects and lists events. */
const program = (url: string, transport: string) => `
  document.body.innerHTML = '<ol></ol><output></output>';
  const [list, output] = document.body.children;
  const connection = new signalR.HubConnectionBuilder()
    .withUrl('${url}/events', { transport: signalR.HttpTransportType.${transport}, accessTokenFactory: () => 'anna' })
    .configureLogging(signalR.LogLevel.None)
    .build();
  connection.on('PartCreated', ({ partUuid }) => {
    list.append(Object.assign(document.createElement('li'), { textContent: partUuid }));
  });
  connection.start().then(() => (output.textContent = 'connected'), (error) => (output.textContent = error.message));`;

describeWithChromium('SignalR in a page', () => {
  let browser: Browser;
  let page: Page;
  let bench: TestBench;
  let pages: Server;
  let other: string;
  beforeAll(async () => {
    pages = createServer((_request, response) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>'));
    await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
    other = `http://127.0.0.1:${(pages.address() as AddressInfo).port}`;
    browser = await chromium.launch({ ...CHROMIUM, timeout: LIMIT_MS });
  }, LIMIT_MS);
  afterAll(async () => {
    await browser?.close();
    pages.closeAllConnections();
    pages.close();
  }, LIMIT_MS);
  beforeEach(async () => {
    bench = new TestBench();
    page = await browser.newPage();
    page.setDefaultTimeout(LIMIT_MS / 2);
  }, LIMIT_MS);
  afterEach(async () => {
    await page.close();
    await bench.end();
  }, LIMIT_MS);

  /** Runs the program in a page of this origin. */
  async function show(origin: string, url: string, transport: string): Promise<void> {
    await page.goto(`${origin}/eventServiceRest/`);
    await page.addScriptTag({ path: CLIENT_SCRIPT });
    await page.addScriptTag({ content: program(url, transport) });
  }
  const state = () => page.locator('output').innerText();
  const start = (env: Record<string, string> = {}) => bench.start({ env, authenticator: new TestAuthenticator({ anna: EVERYONE }) });

  it.each(TRANSPORTS)(
    'brings events over %s [S5]',
    async (transport) => {
      const { url } = await start();
      await show(url, url, transport);
      await eventually(async () => expect(await state()).toBe('connected'), { timeoutMs: LIMIT_MS / 4 });
      await bench.bus.publish([partCreated('first'), partCreated('second')]);
      await eventually(async () => expect(await page.locator('li').allInnerTexts()).toEqual(['first', 'second']));
    },
    LIMIT_MS,
  );

  it.each(TRANSPORTS)(
    'of a listed origin brings events over %s',
    async (transport) => {
      const { url } = await start({ SINEBAR_CORS_ORIGINS: other });
      await show(other, url, transport);
      await eventually(async () => expect(await state()).toBe('connected'), { timeoutMs: LIMIT_MS / 4 });
      await bench.bus.publish([partCreated('first')]);
      await eventually(async () => expect(await page.locator('li').allInnerTexts()).toEqual(['first']));
    },
    LIMIT_MS,
  );

  it.each(TRANSPORTS)(
    'of another origin is not let in over %s',
    async (transport) => {
      const { url } = await start();
      await show(other, url, transport);
      await eventually(async () => expect(await state()).toMatch(/Failed to complete negotiation/), { timeoutMs: LIMIT_MS / 4 });
    },
    LIMIT_MS,
  );
});
