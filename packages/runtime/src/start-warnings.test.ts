import { PassThrough } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import { EVERYONE } from '@sinebar/access-control';
import { Shutdown } from '@sinebar/concurrency';
import { createLogger } from './logger.ts';
import { serve } from './run-service.ts';
import { serverSettings } from './settings/server-settings.ts';
import { loadSettings } from './settings/settings.ts';

/** Starts a server without services and stops it. @returns its warnings */
async function warningsOf(env: Record<string, string>, hasSignIn: boolean): Promise<string[]> {
  const destination = new PassThrough();
  const log = createLogger({ service: 'test', level: 'warn', destination });
  const { values: settings } = loadSettings(serverSettings, { SINEBAR_PORT: '0', ...env });
  const shutdown = new Shutdown(log);
  await serve({ services: [], settings, log, shutdown, ...(hasSignIn && { authenticate: () => Promise.resolve(EVERYONE) }) });
  await shutdown.run('end of the test');
  const lines = ((destination.read() as Buffer | null) ?? '').toString().trim().split('\n').filter(Boolean);
  return lines.map((line) => (JSON.parse(line) as { msg: string }).msg);
}

const ANY_HOST = expect.stringMatching(/neither SINEBAR_PUBLIC_URL nor SINEBAR_HOSTS is set/);

describe('the start of a server', () => {
  it('warns when sign-in is on and no host name is set [D10.6]', async () => {
    expect(await warningsOf({}, true)).toEqual([ANY_HOST]);
  });

  it('warns when the names are set but empty [D10.6]', async () => {
    expect(await warningsOf({ SINEBAR_PUBLIC_URL: '', SINEBAR_HOSTS: '' }, true)).toEqual([ANY_HOST]);
  });

  it.each<[string, Record<string, string>, boolean]>([
    ['a public address', { SINEBAR_PUBLIC_URL: 'https://quality.example' }, true],
    ['a host name', { SINEBAR_HOSTS: 'quality.example' }, true],
    ['no sign-in, where foreign names are refused', {}, false],
  ])('does not warn of it with %s [D10.6]', async (_what, env, hasSignIn) => {
    expect(await warningsOf(env, hasSignIn)).not.toContainEqual(ANY_HOST);
  });
});
