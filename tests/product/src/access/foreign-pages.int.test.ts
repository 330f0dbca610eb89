import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { PART_RIGHTS, SERVER_RIGHTS } from '@sinebar/access-control';
import { CHROMIUM, describeWithChromium } from '@sinebar/testing';
import { chromium, type Browser, type BrowserContext, type Page } from 'playwright-core';
import { startSecuredServer, type SecuredServer } from '../secured-server.fixture.ts';

/** Host names of test pages resolve to this machine. */
const PAGE_NAMES = '--host-resolver-rules=MAP *.example 127.0.0.1';
/** Time limit for a browser and a database that start on a loaded machine. */
const LIMIT_MS = 90_000;
const ROOT_PART = '00000000-0000-0000-0000-000000000000';
/** Argon2id of "feihc", cheap on purpose. */
const CHIEF = '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE';
const POLICY = {
  roles: { chief: { grants: [{ path: '/', rights: [...PART_RIGHTS] }, { rights: [...SERVER_RIGHTS] }] } },
  users: { chief: { password: CHIEF, roles: ['chief'] } },
};
const credentials = { username: 'chief', password: 'feihc' };
const authorization = `Basic ${Buffer.from('chief:feihc').toString('base64')}`;
const SOCKET_IO = readFileSync(join(dirname(createRequire(import.meta.url).resolve('socket.io-client')), '../../dist/socket.io.min.js'));

/** Serves pages that do not belong to the product. */
async function servePages(): Promise<Server> {
  const pages = createServer((request, response) => {
    const isScript = request.url === '/socket.io.js';
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html');
    response.end(
      isScript ? SOCKET_IO : '<!doctype html><title>page</title><iframe name="frame"></iframe><script src="/socket.io.js"></script>',
    );
  });
  await new Promise<void>((resolve) => pages.listen(0, '127.0.0.1', resolve));
  return pages;
}
const part = (name: string) => ({ uuid: randomUUID(), path: `P:/${name}/` });
const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** Opens a WebSocket in the page. @returns the outcome that the page sees */
const socketOutcome = (page: Page, url: string) =>
  page.evaluate(
    (address) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(address);
        socket.onopen = () => resolve('open');
        socket.onerror = () => resolve('refused');
      }),
    url.replace('http:', 'ws:'),
  );

/** The stock client of the page. */
const socketIoOutcome = (page: Page, url: string, transport: string) =>
  page.evaluate(
    ([address = '', way = '']) =>
      new Promise<string>((resolve) => {
        const { io } = globalThis as unknown as { io: (url: string, options: object) => { on: (name: string, call: () => void) => void } };
        const socket = io(`${address}/events`, { transports: [way], reconnection: false, auth: { username: 'chief', password: 'feihc' } });
        socket.on('connect', () => resolve('connected'));
        socket.on('connect_error', () => resolve('refused'));
      }),
    [url, transport],
  );

const MODES = [
  { mode: 'an open server', env: { SINEBAR_AUTHENTICATION: 'none', SINEBAR_ACCESS_POLICY: '' } },
  { mode: 'a server whose password the browser remembers', env: { SINEBAR_AUTHENTICATION: 'basic' } },
];

describeWithChromium('in a browser', () => {
  describe.each(MODES)('for $mode, a page of another origin', ({ mode, env }) => {
    const isOpen = mode === MODES[0]?.mode;
    let product: SecuredServer;
    let pages: Server;
    let browser: Browser;
    let context: BrowserContext;
    let page: Page;
    let url: string;
    let listed: string;

    const sendAs = (method: string, path: string, body?: unknown) => product.send(method, path, isOpen ? {} : { authorization }, body);
    const partPaths = async () =>
      ((await sendAs('GET', '/dataServiceRest/parts?depth=9')).body as { path: string }[]).map(({ path }) => path);

    beforeAll(async () => {
      pages = await servePages();
      listed = `http://console.example:${portOf(pages)}`;
      product = await startSecuredServer(POLICY, { ...env, SINEBAR_CORS_ORIGINS: listed });
      url = `http://127.0.0.1:${product.port}`;
      expect((await sendAs('POST', '/dataServiceRest/parts', [part('Kept')])).status).toBe(201);
      browser = await chromium.launch({ ...CHROMIUM, args: [...(CHROMIUM?.args ?? []), PAGE_NAMES], timeout: LIMIT_MS });
    }, LIMIT_MS);
    afterAll(async () => {
      await browser?.close();
      await product?.stop();
      await new Promise((resolve) => pages.close(resolve));
    }, LIMIT_MS);
    beforeEach(async () => {
      context = await browser.newContext({ ...(!isOpen && { httpCredentials: { ...credentials, origin: url } }) });
      page = await context.newPage();
      page.setDefaultTimeout(LIMIT_MS / 2);
      // The browser sends the password automatically after this request.
      expect((await page.goto(`${url}/dataServiceRest/parts`))?.status()).toBe(200);
      await page.goto(`http://evil.example:${portOf(pages)}/`);
    }, LIMIT_MS);
    afterEach(() => context?.close());

    /** Returns the product's status for a request that the page makes the browser send. */
    const statusOf = async (path: string, makeRequest: () => Promise<unknown>) => {
      const answered = page.waitForResponse((response) => response.url() === url + path);
      await makeRequest();
      return (await answered).status();
    };
    /** Sends a request like a form, without a preflight. @returns the outcome that the page sees */
    const fetchNoCors = (path: string, body: string) =>
      page.evaluate(
        ([address = '', text = '']) =>
          fetch(address, { method: 'POST', mode: 'no-cors', credentials: 'include', body: text }).then(
            () => 'sent',
            () => 'refused',
          ),
        [url + path, body],
      );

    it(
      'cannot clear the plan by a form [D10.6]',
      async () => {
        const path = `/dataServiceRest/parts/${ROOT_PART}/clear`;
        const submit = () =>
          page.evaluate(`Object.assign(document.body.appendChild(document.createElement('form')), {
          method: 'POST', action: '${url}${path}', target: 'frame',
        }).submit()`);
        expect(await statusOf(path, submit)).toBe(403);
        expect(await partPaths()).toContain('P:/Kept/');
      },
      LIMIT_MS,
    );

    it.each(['/dataServiceRest/parts', '//dataServiceRest//parts'])(
      'cannot add parts by a form that sends JSON as text, at %s [D10.6]',
      async (path) => {
        // The browser writes "name=value": the sign of equality becomes a comment.
        const name = `${JSON.stringify([part('Forged')]).slice(0, -2)},"comment":"`;
        const submit = () =>
          page.evaluate(`const form = Object.assign(document.createElement('form'), {
            method: 'POST', enctype: 'text/plain', action: '${url}${path}', target: 'frame',
          });
          form.append(Object.assign(document.createElement('input'), { name: ${JSON.stringify(name)}, value: '"}]' }));
          document.body.append(form);
          form.submit();`);
        expect(await statusOf(path, submit)).toBe(403);
        expect(await partPaths()).not.toContain('P:/Forged/');
      },
      LIMIT_MS,
    );

    it(
      'cannot add parts by fetch without CORS [D10.6]',
      async () => {
        expect(await fetchNoCors('/dataServiceRest/parts', JSON.stringify([part('Forged')]))).toBe('refused');
        expect(await partPaths()).not.toContain('P:/Forged/');
      },
      LIMIT_MS,
    );

    it(
      'cannot read by fetch',
      async () => {
        const outcome = await page.evaluate(
          (address) =>
            fetch(address, { credentials: 'include' }).then(
              () => 'read',
              () => 'refused',
            ),
          `${url}/dataServiceRest/parts`,
        );
        expect(outcome).toBe('refused');
      },
      LIMIT_MS,
    );

    it(
      'cannot embed an answer as an image',
      async () => {
        const failed = page.waitForEvent('requestfailed');
        await page.evaluate(`new Image().src = '${url}/dataServiceRest/parts'`);
        expect((await failed).failure()?.errorText).toMatch(/BLOCKED_BY_RESPONSE/);
      },
      LIMIT_MS,
    );

    it.each(['/events/?EIO=4&transport=websocket', '/socket.io/?EIO=4&transport=websocket', '/events', '/events?id=1'])(
      'cannot open a WebSocket at %s [D10.6]',
      async (path) => {
        expect(await socketOutcome(page, url + path)).toBe('refused');
      },
      LIMIT_MS,
    );

    it.each(['polling', 'websocket'])(
      'cannot listen to events with Socket.IO by %s [D10.6]',
      async (transport) => {
        expect(await socketIoOutcome(page, url, transport)).toBe('refused');
      },
      LIMIT_MS,
    );

    it(
      'cannot begin a connection of SignalR',
      async () => {
        const path = '/events/negotiate?negotiateVersion=1';
        expect(await fetchNoCors(path, '')).toBe('refused');
        const sent = await product.send('POST', path, { origin: 'http://evil.example', 'sec-fetch-site': 'cross-site', authorization });
        expect(sent.status).toBe(403);
      },
      LIMIT_MS,
    );

    it(
      'cannot read by a DNS name that points to this machine [D10.6]',
      async () => {
        // The browser does not send its stored password to that host name.
        const address = `http://evil.example:${product.port}/dataServiceRest/parts`;
        const answered = page.waitForResponse(address);
        // Chromium shows an error page for 401 when it has no password for the name.
        await page.goto(address).catch(() => undefined);
        expect((await answered).status()).toBe(isOpen ? 421 : 401);
      },
      LIMIT_MS,
    );

    it(
      'can do all that from a listed origin, with its own credentials',
      async () => {
        await page.goto(`${listed}/`);
        const status = await page.evaluate(
          ([address = '', header = '', body = '']) =>
            fetch(address, { method: 'POST', headers: { 'Content-Type': 'application/json', Authorization: header }, body }).then(
              ({ status }) => status,
            ),
          [`${url}/dataServiceRest/parts`, authorization, JSON.stringify([part('By console')])],
        );
        expect(status).toBe(201);
        expect(await socketIoOutcome(page, url, 'polling')).toBe('connected');
      },
      LIMIT_MS,
    );

    it(
      'differs from a page of the server itself, which can change and listen [D10.6]',
      async () => {
        await page.goto(`${url}/docs`, { waitUntil: 'domcontentloaded' });
        const status = await page.evaluate(
          (body) =>
            fetch('/dataServiceRest/parts', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }).then(
              ({ status }) => status,
            ),
          JSON.stringify([part('By page')]),
        );
        expect(status).toBe(201);
        expect(await socketOutcome(page, `${url}/events/?EIO=4&transport=websocket`)).toBe('open');
      },
      LIMIT_MS,
    );
  });
});
