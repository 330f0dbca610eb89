import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closeHttpServer, createHttpApp, createHttpServer, listen } from '@sinebar/http';
import { createLogger } from '@sinebar/runtime';
import request from 'supertest';
import { consoleRoutes } from './console-routes.ts';
import { openConsoleSite } from './console-site.ts';
import { readLogo } from './logo-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'sinebar-console-'));
let server: Server;

beforeAll(async () => {
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), '<head><script src="./assets/x.js"></script></head>');
  writeFileSync(join(folder, 'assets/x.js'), '1');
  writeFileSync(join(folder, 'assets/old.js'), '1');
  writeFileSync(join(folder, 'logo.svg'), '<svg><script>alert(1)</script></svg>');
  const site = openConsoleSite(folder, readLogo(join(folder, 'logo.svg')));
  const routes = consoleRoutes({ site, signInOrigins: () => Promise.resolve([]) });
  server = createHttpServer(createHttpApp({ routes, log: createLogger({ service: 'test', level: 'silent' }) }));
  await listen(server, 0, '127.0.0.1');
});
afterAll(async () => {
  await closeHttpServer(server, 100);
  rmSync(folder, { recursive: true });
});

const get = (path: string) => request(server).get(path).set('Accept', 'text/html');
const levels = (count: number) => `/console${'/x'.repeat(count)}`;

describe('the page of the console', () => {
  it.each([levels(1), levels(10), `${levels(10)}/`, `/${levels(10)}`, `/console/${'/x'.repeat(10)}`])(
    'finds its assets from %s [D1.4]',
    async (path) => {
      const { text } = await get(path).expect(200);
      const [, relative = ''] = /src="([^"]+)"/.exec(text) ?? [];
      const { pathname } = new URL(relative, new URL(`http://localhost${path.replace(/^\/+/, '/')}`));
      await get(pathname).expect(200);
    },
  );

  it('answers 404 for an asset that goes away while the server runs, since the page is built again', async () => {
    rmSync(join(folder, 'assets/old.js'));
    const { body } = (await get('/console/assets/old.js').expect(404)) as { body: { message: string } };
    expect(body.message).toBe('There is no file old.js in this version of the console.');
    await get('/console/assets/x.js').expect(200);
  });

  it('says how commands are called in this installation', async () => {
    const { text } = await get('/console/').expect(200);
    expect(text).toContain('<meta name="sinebar-command" content="npm run sinebar --"><meta');
  });

  it('names the logo, which runs no script when it is opened by itself', async () => {
    const { text } = await get('/console/parts/1').expect(200);
    expect(text).toContain('<meta name="sinebar-logo" content="./../logo">');
    const logo = await get('/console/logo').expect(200).expect('Content-Type', 'image/svg+xml').expect('X-Content-Type-Options', 'nosniff');
    expect(logo.headers['content-security-policy']).toContain('sandbox');
    await get('/console/logo').set('If-None-Match', String(logo.headers['etag'])).expect(304);
  });

  it.each([levels(11), `${levels(11)}/`, levels(5000), `/console/x${'/'.repeat(11)}x`])('is not at %s [D1.4]', async (path) => {
    const { body } = (await get(path).expect(404)) as { body: { message: string } };
    expect(body.message).toBe('Views of the console are at most 10 levels below /console/.');
  });
});
