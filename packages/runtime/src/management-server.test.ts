import { PathScope } from '@sinebar/access-control';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { ServiceError } from '@sinebar/contracts';
import { closeHttpServer, listen } from '@sinebar/http';
import { createLogger } from './logger.ts';
import { serve, type RunningServer } from './run-service.ts';
import { serverSettings } from './settings/server-settings.ts';
import { loadSettings } from './settings/settings.ts';
import type { ComposedService } from './service.ts';
import { Shutdown } from '@sinebar/concurrency';

const log = createLogger({ service: 'test', level: 'silent' });
const service: ComposedService = {
  name: 'empty',
  routes: [],
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  health: () => Promise.resolve([{ name: 'thing', healthy: true, detail: 'is well' }]),
};

describe('management address', () => {
  let shutdown: Shutdown;
  afterEach(() => shutdown.run('test'));

  function start(env: Record<string, string>): Promise<RunningServer> {
    shutdown = new Shutdown(log);
    const settings = loadSettings(serverSettings, { SINEBAR_PORT: '0', SINEBAR_MANAGEMENT_PORT: '0', ...env }).values;
    return serve({ services: [service], settings, log, shutdown });
  }
  const get = (port: number | undefined, path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  it('serves metrics and health, while the public address serves no metrics', async () => {
    const { port, managementPort } = await start({});
    const metrics = await get(managementPort, '/metrics');
    expect(metrics.status).toBe(200);
    expect(metrics.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    const text = await metrics.text();
    expect(text).toMatch(/^process_resident_memory_bytes \d+/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds /m);
    expect(text).toMatch(/^sinebar_build_info\{version="\d+\.\d+\.\d+"\} 1$/m);
    expect(await (await get(managementPort, '/healthServiceRest/ready')).json()).toMatchObject({
      status: 'Healthy',
      details: [{ name: 'thing' }],
    });
    expect((await get(port, '/metrics')).status).toBe(404);
    expect((await get(managementPort, '/dataServiceRest/parts')).status).toBe(404);
  });

  describe('full health', () => {
    const signedIn = { name: 'ada', rightsKey: '', scopeOf: () => PathScope.NOTHING, holds: () => false };
    const authenticate = ({ headers }: IncomingMessage) =>
      headers.authorization === 'Bearer right'
        ? Promise.resolve(signedIn)
        : Promise.reject(new ServiceError('Unauthenticated', 'these credentials are wrong'));
    const forwarded = { 'X-Forwarded-For': '192.0.2.9' };

    async function details(headers: Record<string, string>): Promise<unknown> {
      shutdown = new Shutdown(log);
      const settings = loadSettings(serverSettings, { SINEBAR_PORT: '0', SINEBAR_MANAGEMENT_PORT: 'off' }).values;
      const { port } = await serve({ services: [service], settings, log, shutdown, authenticate });
      const answer = await fetch(`http://127.0.0.1:${port}/healthServiceRest/ready`, { headers });
      return ((await answer.json()) as { details?: unknown }).details;
    }

    it('is for clients on the same machine', async () => {
      expect(await details({})).toEqual([{ name: 'thing', status: 'Healthy', detail: 'is well' }]);
    });

    it('is not for clients behind a proxy', async () => {
      expect(await details(forwarded)).toBeUndefined();
    });

    it('is for signed-in clients behind a proxy', async () => {
      expect(await details({ ...forwarded, Authorization: 'Bearer right' })).toEqual([expect.objectContaining({ name: 'thing' })]);
    });

    it('is not for wrong credentials, which get the short form', async () => {
      expect(await details({ ...forwarded, Authorization: 'Bearer wrong' })).toBeUndefined();
    });
  });

  it('answers only under its own name, so that no page reads it by a DNS name of its own', async () => {
    const { managementPort } = await start({});
    const status = await new Promise((resolve, reject) => {
      const sent = httpRequest({ port: managementPort, host: '127.0.0.1', path: '/metrics', headers: { Host: 'evil.example' } });
      sent.once('response', (answer) => resolve(answer.resume().statusCode)).once('error', reject);
      sent.end();
    });
    expect(status).toBe(421);
  });

  it('is closed with the process', async () => {
    const { managementPort } = await start({});
    await shutdown.run('test');
    await expect(get(managementPort, '/metrics')).rejects.toThrow();
  });

  it('can be switched off', async () => {
    const { managementPort } = await start({ SINEBAR_MANAGEMENT_PORT: 'off' });
    expect(managementPort).toBeUndefined();
  });

  describe('an unavailable management address', () => {
    let other: Server | undefined;
    afterEach(async () => other && (await closeHttpServer(other, 100)));

    it('stops the start with a message that names the setting', async () => {
      other = createServer();
      const taken = await listen(other, 0, '127.0.0.1');
      await expect(start({ SINEBAR_MANAGEMENT_PORT: String(taken) })).rejects.toThrow(
        `SINEBAR_MANAGEMENT_PORT: port ${taken} of 127.0.0.1 is taken by another program; ` +
          'choose another port, 0 for a free one, or off for none',
      );
    });

    it('is reported when the address does not exist', async () => {
      await expect(start({ SINEBAR_MANAGEMENT_HOST: '203.0.113.1' })).rejects.toThrow(
        'SINEBAR_MANAGEMENT_HOST: 203.0.113.1 is no address of this computer (EADDRNOTAVAIL)',
      );
    });

    it.each(['70000', '-1', 'on', '9464/tcp'])('is refused before the start: %s', (SINEBAR_MANAGEMENT_PORT) => {
      expect(() => loadSettings(serverSettings, { SINEBAR_MANAGEMENT_PORT })).toThrow(
        'SINEBAR_MANAGEMENT_PORT: must be a port from 0 to 65535, or off',
      );
    });
  });
});
