import { describe, expect, it } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';

const FILE = join(import.meta.dirname, '../../../docker-compose.yml');
const CANDIDATES = [['docker', 'compose'], ['docker-compose'], [join(homedir(), '.cache/sinebar/bin/docker-compose')]] as const;
const COMPOSE = CANDIDATES.find(([program, ...args]) => spawnSync(program, [...args, 'version'], { stdio: 'ignore' }).status === 0);
const SECRETS = ['POSTGRES_PASSWORD', 'NATS_PASSWORD', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'];

function config(variables: Record<string, string>) {
  const [program, ...args] = COMPOSE ?? ['docker-compose'];
  // No .env of a developer takes part.
  return spawnSync(program, [...args, '--env-file', '/dev/null', '--file', FILE, 'config', '--format', 'json'], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...variables },
  });
}

if (COMPOSE === undefined) process.stderr.write('SKIPPED (no docker compose): docker-compose.yml as compose reads it\n');
const describeWithCompose = COMPOSE === undefined ? describe.skip : describe;

describeWithCompose('docker-compose.yml as compose reads it', () => {
  const all = Object.fromEntries(SECRETS.map((name, index) => [name, `1234${index}`]));

  it('is accepted when the secrets are given, and hands them on as they are', () => {
    const { status, stderr, stdout } = config(all);
    expect([status, stderr]).toEqual([0, '']);
    const { services } = JSON.parse(stdout) as { services: Record<string, { environment: Record<string, string>; ports?: unknown[] }> };
    expect(services['inspection']?.environment).toMatchObject({
      DATABASE_URL: 'postgres://sinebar:12340@postgres:5432/sinebar',
      NATS_URL: 'nats://sinebar:12341@nats:4222',
      SINEBAR_MIGRATE: 'off',
    });
    // The quotes keep NATS from reading a password of digits as a number.
    expect(services['nats']?.environment).toEqual({ NATS_PASSWORD: '"12341"' });
    expect(services['events']?.environment).not.toHaveProperty('DATABASE_URL');
    expect(services['proxy']?.ports).toMatchObject([{ host_ip: '127.0.0.1', published: '8080', target: 8080 }]);
  });

  it.each(SECRETS)('is refused without %s, which it names', (name) => {
    for (const missing of [{ ...all, [name]: '' }, Object.fromEntries(Object.entries(all).filter(([other]) => other !== name))]) {
      const { status, stderr } = config(missing);
      expect(status).not.toBe(0);
      expect(stderr).toContain(`set ${name} in .env`);
    }
  });
});
