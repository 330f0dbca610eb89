import { createServer, type Server } from 'node:http';
import { afterEach, describe, expect, it } from '@jest/globals';
import { closeHttpServer, listen } from './http-server.js';
import { createLogger } from './logger.js';
import { serve, type RunningServer } from './run-service.js';
import { serverSettings } from './server-settings.js';
import { loadSettings } from './settings.js';
import type { ServiceParts } from './service.js';
import { Shutdown } from './shutdown.js';

const log = createLogger({ service: 'test', level: 'silent' });
const service: ServiceParts = {
  name: 'empty',
  routes: [],
  start: () => Promise.resolve(),
  stop: () => Promise.resolve(),
  health: () => Promise.resolve([{ name: 'thing', healthy: true, detail: 'is well' }]),
};

describe('the management address', () => {
  let shutdown: Shutdown;
  afterEach(() => shutdown.run('test'));

  function start(env: Record<string, string>): Promise<RunningServer> {
    shutdown = new Shutdown(log);
    const settings = loadSettings(serverSettings, { SINEBAR_PORT: '0', SINEBAR_MANAGEMENT_PORT: '0', ...env }).values;
    return serve({ services: [service], settings, log, shutdown });
  }
  const get = (port: number | undefined, path: string) => fetch(`http://127.0.0.1:${port}${path}`);

  it('gives metrics and health, which the public one gives without metrics', async () => {
    const { port, managementPort } = await start({});
    const metrics = await get(managementPort, '/metrics');
    expect([metrics.status, metrics.headers.get('content-type')]).toEqual([200, 'text/plain; version=0.0.4; charset=utf-8']);
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

  it('is closed with the process', async () => {
    const { managementPort } = await start({});
    await shutdown.run('test');
    await expect(get(managementPort, '/metrics')).rejects.toThrow();
  });

  it('can be switched off', async () => {
    const { managementPort } = await start({ SINEBAR_MANAGEMENT_PORT: 'off' });
    expect(managementPort).toBeUndefined();
  });

  describe('that cannot be had', () => {
    let other: Server | undefined;
    afterEach(async () => other && (await closeHttpServer(other, 100)));

    it('stops the start with a sentence that names the setting', async () => {
      other = createServer();
      const taken = await listen(other, 0, '127.0.0.1');
      await expect(start({ SINEBAR_MANAGEMENT_PORT: String(taken) })).rejects.toThrow(
        `SINEBAR_MANAGEMENT_PORT: port ${taken} of 127.0.0.1 is taken by another program; choose another port, 0 for a free one, or off for none`,
      );
    });

    it('says when there is no such address', async () => {
      await expect(start({ SINEBAR_MANAGEMENT_HOST: '203.0.113.1' })).rejects.toThrow(
        'SINEBAR_MANAGEMENT_HOST: 203.0.113.1 is no address of this computer (EADDRNOTAVAIL)',
      );
    });

    it.each(['70000', '-1', 'on', '9464/tcp'])('is refused before anything begins: %s', (SINEBAR_MANAGEMENT_PORT) => {
      expect(() => loadSettings(serverSettings, { SINEBAR_MANAGEMENT_PORT })).toThrow(
        'SINEBAR_MANAGEMENT_PORT: must be a port from 0 to 65535, or off',
      );
    });
  });
});
