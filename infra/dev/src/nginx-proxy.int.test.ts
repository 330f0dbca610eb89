import { describe, expect, it } from '@jest/globals';
import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describeProxy, type RunningProxy, type Upstreams } from './proxy-contract.test-case.js';
import { SERVICES } from './routing.js';

const CONFIGURATION = join(import.meta.dirname, '../../proxy/nginx.conf');
const NGINX = ['nginx', '/usr/sbin/nginx'].find((program) => spawnSync(program, ['-v']).status === 0);

/** The same file with addresses of this machine; everything else stays as it is delivered. */
function localConfiguration(folder: string, ports: { main: number; own: number }, upstreams: Upstreams): string {
  let text = readFileSync(CONFIGURATION, 'utf8');
  const replace = (from: string | RegExp, to: string) => {
    const changed = text.replaceAll(from, to);
    if (changed === text) throw new Error(`nginx.conf holds no ${String(from)}`);
    text = changed;
  };
  replace('/tmp/', `${folder}/`);
  replace('listen 8080;', `listen 127.0.0.1:${ports.main};`);
  replace('listen 127.0.0.1:8081;', `listen 127.0.0.1:${ports.own};`);
  replace('access_log /dev/stdout line;', `access_log ${folder}/access.log line;`);
  replace('worker_processes auto;', 'worker_processes 1;');
  for (const service of SERVICES) {
    const servers = upstreams[service].map((base) => `server ${new URL(base).host} max_fails=0;`).join('\n        ');
    replace(`server ${service}:8080 resolve max_fails=0;`, servers);
  }
  return text;
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer());
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  return ports;
}

async function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

async function startNginx(program: string, upstreams: Upstreams): Promise<RunningProxy & { own: string; logged: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-nginx-'));
  // Started by root, nginx works as another user.
  chmodSync(folder, 0o777);
  const [main = 0, own = 0] = await freePorts(2);
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, localConfiguration(folder, { main, own }, upstreams));
  const child = spawn(program, ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  for (let i = 0; !(await accepts(main)); i++) {
    if (i > 200 || child.exitCode !== null) {
      await stop();
      throw new Error(`nginx does not listen: ${said}`);
    }
    await pause(25);
  }
  const logged = () => said + readFileSync(join(folder, 'access.log'), 'utf8');
  return { origin: `http://127.0.0.1:${main}`, own: `http://127.0.0.1:${own}`, logged, stop };
}

if (NGINX === undefined) {
  console.warn('SKIPPED: nginx is not installed, so infra/proxy/nginx.conf is not tried (Debian: apt-get install nginx-light)');
  describe.skip('nginx.conf', () => {
    it('needs nginx', () => undefined);
  });
} else {
  describeProxy('nginx.conf in nginx', (upstreams) => startNginx(NGINX, upstreams));

  describe('nginx.conf', () => {
    it('answers the health check of its own container while no service answers', async () => {
      const dead = ['http://127.0.0.1:1'];
      const proxy = await startNginx(NGINX, { inspection: dead, 'raw-data': dead, events: dead });
      try {
        expect((await fetch(proxy.own, { signal: AbortSignal.timeout(5000) })).status).toBe(204);
      } finally {
        await proxy.stop();
      }
    });

    it('logs the tokens of event clients nowhere, also when no gateway answers', async () => {
      const dead = ['http://127.0.0.1:1'];
      const proxy = await startNginx(NGINX, { inspection: dead, 'raw-data': dead, events: dead });
      try {
        for (const path of ['/events', '/Events/negotiate']) {
          expect((await fetch(`${proxy.origin}${path}?access_token=s3cret`, { method: 'POST' })).status).toBe(503);
        }
        // Its message about the other service shows that the failure is told at all.
        expect((await fetch(`${proxy.origin}/dataServiceRest`)).status).toBe(503);
        const lines = () => proxy.logged().match(/" 503 /g) ?? [];
        await until(() => lines().length === 3 && /connect\(\) failed/.test(proxy.logged()));
        expect(proxy.logged()).not.toContain('s3cret');
      } finally {
        await proxy.stop();
      }
    });
  });
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let i = 0; i < 200 && !isTrue(); i++) await pause(25);
  expect(isTrue()).toBe(true);
}
