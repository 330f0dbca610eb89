import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { get as httpsGet, type RequestOptions } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { authenticationSettings, openAuthentication, type Authentication } from '@sinebar/authentication';
import type { ServiceError } from '@sinebar/contracts';

import { createLogger, loadSettings, serverSettings } from '@sinebar/runtime';
import { describeUnless, eventually } from '@sinebar/testing';
import { SERVICES } from '@sinebar/distributed';
import { NGINX, startNginx } from './nginx.fixture.ts';
import { describeProxy, type RunningProxy, type Upstreams } from './proxy-contract.fixture.ts';
import { seenIn, send, talk, Upstream } from './proxy-talk.fixture.ts';

/** Argon2id of "feihc", cheap on purpose. */
const CHIEF = '$argon2id$v=19$m=1024,t=1,p=1$idyDDFmhOlybWg5wQvdYnQ$8KAKkuqFkOBVdosMM1e/Z2LtgwkiYOcBo7vjxJJx0wE';
if (NGINX === undefined) {
  describeUnless('no nginx; Debian: apt-get install nginx-light', 'nginx.conf', () => it('needs nginx', () => undefined));
} else {
  const nginx = NGINX;
  describeProxy('nginx.conf in nginx', (upstreams) => startNginx(nginx, upstreams), { keepsSessions: nginx.isSticky });

  describe('nginx.conf with the plants of plants/plants.conf', () => {
    const names = ['north', 'south'].flatMap((plant) => SERVICES.map((service) => `${plant}-${service}`));
    const upstreams = Object.fromEntries(names.map((name) => [name, new Upstream(name)]));
    let proxy: RunningProxy & { logged: () => string };
    const get = (path: string, options: Parameters<typeof send>[2] = {}) => send(proxy.origin, path, options);
    const seen = async (path: string, options: Parameters<typeof send>[2] = {}) => {
      const { replica, target } = seenIn(await get(path, options));
      return [replica, target];
    };
    beforeAll(async () => {
      const of = async (plant: string) => {
        const addresses = SERVICES.map(
          async (service) => [service, [await (upstreams[`${plant}-${service}`] as Upstream).start()]] as const,
        );
        return Object.fromEntries(await Promise.all(addresses)) as unknown as Upstreams;
      };
      proxy = await startNginx(nginx, { plants: { north: await of('north'), south: await of('south') } });
    });
    afterAll(async () => {
      await proxy?.stop();
      await Promise.all(Object.values(upstreams).map((upstream) => upstream.stop()));
    });

    it.each([
      ['/north/dataServiceRest/parts?depth=1', 'north-inspection', '/dataServiceRest/parts?depth=1'],
      ['/South/DataServiceRest/parts', 'south-inspection', '/DataServiceRest/parts'],
      ['/south/rawDataServiceRest/rawData/Part/x/0/a%2Fb%20c//d', 'south-raw-data', '/rawDataServiceRest/rawData/Part/x/0/a%2Fb%20c//d'],
      ['/north/socket.io/?EIO=4', 'north-events', '/socket.io/?EIO=4'],
      ['/south/events/negotiate?negotiateVersion=1', 'south-events', '/events/negotiate?negotiateVersion=1'],
      ['/north/docs', 'north-inspection', '/docs'],
      ['/north/console/north/x', 'north-inspection', '/console/north/x'],
      ['/north/', 'north-inspection', '/'],
      ['//north//dataServiceRest//parts', 'north-inspection', '//dataServiceRest//parts'],
      ['/south/healthServiceRest/ready?x=1', 'south-inspection', '/healthServiceRest/all/ready?x=1'],
      ['/south/.well-known/ServerConfiguration', 'south-events', '/.well-known/ServerConfiguration'],
    ])('sends %s to %s without the prefix', async (path, service, target) => {
      expect(await seen(path)).toEqual([service, target]);
    });

    it('sends a change once, without the prefix', async () => {
      const path = '/south/rawDataServiceRest/rawData/Part/x/a%2Fb';
      expect(await seen(path, { method: 'PUT', body: 'x' })).toEqual(['south-raw-data', '/rawDataServiceRest/rawData/Part/x/a%2Fb']);
      expect(await seen('/north/dataServiceRest/parts', { method: 'DELETE' })).toEqual(['north-inspection', '/dataServiceRest/parts']);
    });

    it.each(['/', '/dataServiceRest/parts', '/north', '/northern/docs', '/north/north/docs', '/west/docs', '/north/other'])(
      'has nothing at %s, and says where plants are',
      async (path) => {
        const answer = await get(path);
        expect(answer.status).toBe(404);
        expect(answer.body).toContain('Addresses begin with /north or /south, and behind it with /dataServiceRest');
      },
    );

    it('answers 503 for a plant whose service is stopped, and continues to serve the other', async () => {
      await (upstreams['north-raw-data'] as Upstream).stop();
      expect((await get('/north/rawDataServiceRest/rawData')).status).toBe(503);
      expect((await get('/north/rawDataServiceRest/rawData', { method: 'DELETE' })).status).toBe(503);
      expect(await seen('/south/rawDataServiceRest/rawData')).toEqual(['south-raw-data', '/rawDataServiceRest/rawData']);
    });

    it('logs the whole address', async () => {
      await get('/south/docs/page.js');
      await eventually(() => proxy.logged().includes('"GET /south/docs/page.js" 200'));
    });
  });

  describe('nginx.conf behind a trusted proxy', () => {
    const upstream = new Upstream('inspection');
    let proxy: RunningProxy;
    beforeAll(async () => {
      const address = [await upstream.start()];
      proxy = await startNginx(nginx, { inspection: address, 'raw-data': address, events: address }, 'set_real_ip_from 127.0.0.5;');
    });
    afterAll(async () => {
      await proxy?.stop();
      await upstream.stop();
    });
    const claimed = {
      Host: 'inner.example',
      'X-Forwarded-For': '198.51.100.1, 192.0.2.9',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'public.example',
    };
    const seenFrom = async (localAddress: string) => {
      const { headers } = seenIn(await send(proxy.origin, '/dataServiceRest', { localAddress, headers: claimed }));
      return ['x-forwarded-for', 'x-forwarded-proto', 'x-forwarded-host'].map((name) => headers[name]);
    };

    it('passes the headers of that proxy, and of the addresses only the last one', async () => {
      expect(await seenFrom('127.0.0.5')).toEqual(['192.0.2.9', 'https', 'public.example']);
    });

    it('drops the headers of other clients', async () => {
      expect(await seenFrom('127.0.0.6')).toEqual(['127.0.0.6', 'http', 'inner.example']);
    });
  });

  describe('nginx.conf with tls/tls.conf', () => {
    const upstream = new Upstream('inspection');
    let proxy: Awaited<ReturnType<typeof startNginx>>;
    beforeAll(async () => {
      const address = [await upstream.start()];
      proxy = await startNginx(nginx, { inspection: address, 'raw-data': address, events: address }, undefined, true);
    });
    afterAll(async () => {
      await proxy?.stop();
      await upstream.stop();
    });
    const get = async (path: string, options: RequestOptions = {}) => {
      const sent = httpsGet({ host: '127.0.0.1', port: proxy.tlsPort, path, rejectUnauthorized: false, agent: false, ...options });
      const [answer] = (await once(sent, 'response')) as [IncomingMessage];
      return { status: answer.statusCode, body: await text(answer) };
    };

    it('serves the services, and tells them that the client came by https', async () => {
      const { status, body } = await get('/dataServiceRest/parts?depth=1');
      expect(status).toBe(200);
      expect(JSON.parse(body)).toMatchObject({ target: '/dataServiceRest/parts?depth=1', headers: { 'x-forwarded-proto': 'https' } });
    });

    it('still serves the port without TLS, which is published on this machine only', async () => {
      expect(seenIn(await send(proxy.origin, '/dataServiceRest')).headers['x-forwarded-proto']).toBe('http');
    });

    it('refuses versions of TLS that are out of date', async () => {
      await expect(get('/', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })).rejects.toThrow();
    });

    it('says that plain HTTP is no request for this port', async () => {
      const { received, socket } = await talk(`http://127.0.0.1:${proxy.tlsPort}`, 'GET / HTTP/1.1\r\nHost: x\r\n\r\n', '400');
      expect(received()).toMatch(/^HTTP\/1\.1 400 /);
      socket.destroy();
    });
  });

  describe('nginx.conf in front of a server with users', () => {
    const [attacker, administrator] = ['127.0.0.3', '127.0.0.4'];
    const header = (name: string, password: string) => ({
      Authorization: `Basic ${Buffer.from(`${name}:${password}`).toString('base64')}`,
    });
    let folder: string;
    let server: Server;
    let authentication: Authentication;
    let proxy: RunningProxy;

    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'sinebar-users-'));
      const file = join(folder, 'policy.yaml');
      writeFileSync(file, JSON.stringify({ roles: { all: { grants: [] } }, users: { chief: { password: CHIEF, roles: ['all'] } } }));
      const { values } = loadSettings(
        { ...serverSettings, ...authenticationSettings },
        { SINEBAR_AUTHENTICATION: 'basic', SINEBAR_ACCESS_POLICY: file, SINEBAR_TRUSTED_PROXIES: '127.0.0.1' },
      );
      const log = createLogger({ service: 'test', level: 'silent' });
      authentication = await openAuthentication(values, log, { failureMs: 0 });
      server = createServer((request, response) => {
        const answered = authentication.authenticate?.(request).then(() => 200);
        void answered?.catch((error: unknown) => (error as ServiceError).status).then((status) => response.writeHead(status).end());
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const address = [`http://127.0.0.1:${(server.address() as AddressInfo).port}`];
      proxy = await startNginx(nginx, { inspection: address, 'raw-data': address, events: address });
    });
    afterEach(async () => {
      await proxy.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await authentication.close();
      rmSync(folder, { recursive: true });
    });
    const signIn = async (localAddress: string, headers: Record<string, string>) =>
      (await send(proxy.origin, '/dataServiceRest/parts', { localAddress, headers })).status;
    /** Exceeds the allowed failures of an address, each with another name, so that only the address counts. */
    const fail = async (inventedAddress: (attempt: number) => string) => {
      const statuses: number[] = [];
      for (let attempt = 0; attempt < 80; attempt += 1)
        statuses.push(await signIn(attacker, { ...header(`nobody-${attempt}`, 'x'), 'X-Forwarded-For': inventedAddress(attempt) }));
      return statuses;
    };

    it('counts failed sign-ins by the real address, whatever addresses the client sends', async () => {
      expect(await fail((attempt) => `198.51.100.${attempt}`)).toContain(429);
    });

    it('does not let clients lock an administrator out by sending the address of the administrator', async () => {
      await fail(() => administrator);
      expect(await signIn(administrator, header('chief', 'feihc'))).toBe(200);
    });
  });

  describe('nginx.conf', () => {
    it('answers the health check of its container while no service answers', async () => {
      const dead = ['http://127.0.0.1:1'];
      const proxy = await startNginx(nginx, { inspection: dead, 'raw-data': dead, events: dead });
      try {
        expect((await fetch(proxy.own, { signal: AbortSignal.timeout(5000) })).status).toBe(204);
      } finally {
        await proxy.stop();
      }
    });

    it.each([
      ['an address without service', 'GET /nothing?token=s3cret HTTP/1.1', '"GET /nothing" 404 '],
      ['a service that does not answer', 'DELETE /dataServiceRest/parts?x=s3cret HTTP/1.1', '"DELETE /dataServiceRest/parts" 503 '],
      [
        'an address with escapes',
        'PUT /rawDataServiceRest/a%2Fb%20c%0A%22?x=s3cret HTTP/1.1',
        '"PUT /rawDataServiceRest/a%2Fb%20c%0A%22" 503 ',
      ],
      ['a method that is unknown', 'TRACE /docs?x=s3cret HTTP/1.1', '"TRACE /docs" 405 '],
      ['an address that is too long', `GET /docs/${'x'.repeat(70_000)}?x=s3cret HTTP/1.1`, `"GET /docs/${'x'.repeat(2042)}" 414 `],
      ['no HTTP', 's3cret', '"-" 400 '],
    ])('logs method and address of a request that it answers itself: %s', async (_, line, logged) => {
      const dead = ['http://127.0.0.1:1'];
      const proxy = await startNginx(nginx, { inspection: dead, 'raw-data': dead, events: dead });
      try {
        const { socket } = await talk(proxy.origin, `${line}\r\nHost: x\r\nConnection: close\r\n\r\n`, '"requestId"');
        socket.destroy();
        await eventually(() => proxy.accessLog() !== '');
        expect(proxy.accessLog()).toContain(logged);
        expect(proxy.accessLog()).not.toContain('s3cret');
      } finally {
        await proxy.stop();
      }
    });

    it('never logs the tokens of event clients, also when no gateway answers', async () => {
      const dead = ['http://127.0.0.1:1'];
      const proxy = await startNginx(nginx, { inspection: dead, 'raw-data': dead, events: dead });
      try {
        for (const path of ['/events', '/Events/negotiate']) {
          expect((await fetch(`${proxy.origin}${path}?access_token=s3cret`, { method: 'POST' })).status).toBe(503);
        }
        // The message about the other service shows that failures are reported.
        expect((await fetch(`${proxy.origin}/dataServiceRest`)).status).toBe(503);
        const lines = () => proxy.logged().match(/" 503 /g) ?? [];
        await eventually(() => lines().length === 3 && /connect\(\) failed/.test(proxy.logged()));
        expect(proxy.logged()).not.toContain('s3cret');
      } finally {
        await proxy.stop();
      }
    });
  });
}
