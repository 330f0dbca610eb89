import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseFreePort } from '@sinebar/local-servers';
import { eventually } from '@sinebar/testing';
import { SERVICES } from '@sinebar/distributed';
import type { RunningProxy, Upstreams } from './proxy-contract.fixture.ts';

const PROXY = join(import.meta.dirname, '../../../infra/proxy');
/** First version with `sticky` in an upstream. */
const STICKY_SINCE = [1, 29, 6];

/** An installed nginx: the program that SINEBAR_TEST_NGINX names, or that of the system. */
export interface Nginx {
  program: string;
  /** Whether it keeps sessions with their replica; without it the directive is left out. */
  isSticky: boolean;
}

export const NGINX = [process.env['SINEBAR_TEST_NGINX'] ?? '', 'nginx', '/usr/sbin/nginx']
  .map(nginxAt)
  .find((found) => found !== undefined);

function nginxAt(program: string): Nginx | undefined {
  if (program === '') return undefined;
  const { status, stderr } = spawnSync(program, ['-v'], { encoding: 'utf8' });
  const version = /nginx\/(\d+)\.(\d+)\.(\d+)/
    .exec(stderr ?? '')
    ?.slice(1)
    .map(Number);
  if (status !== 0 || !version) return undefined;
  const firstDifference = version.map((part, i) => part - (STICKY_SINCE[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
  return { program, isSticky: firstDifference >= 0 };
}

/** Upstreams of the only plant, or of the plants of the delivered file for several plants. */
export type PlantUpstreams = Upstreams | { plants: Readonly<Record<string, Upstreams>> };

/** Replaces texts of a delivered file. @throws when the file does not hold one of them */
function replaced(file: string, replacements: readonly (readonly [from: string | RegExp, to: string])[]): string {
  return replacements.reduce(
    (text, [from, to]) => {
      const changed = text.replaceAll(from, to);
      if (changed === text) throw new Error(`${file} holds no ${String(from)}`);
      return changed;
    },
    readFileSync(join(PROXY, file), 'utf8'),
  );
}

/** Returns the delivered file with addresses of this machine. */
function localConfiguration(folder: string, ports: { main: number; own: number }): string {
  return replaced('nginx.conf', [
    ['/tmp/', `${folder}/`],
    ['listen 8080;', `listen 127.0.0.1:${ports.main};`],
    ['listen 127.0.0.1:8081;', `listen 127.0.0.1:${ports.own};`],
    ['access_log /dev/stdout line;', `access_log ${folder}/access.log line;`],
    ['worker_processes auto;', 'worker_processes 1;'],
  ]);
}

/** Returns the delivered file with the plants, with addresses of this machine. */
function localPlants(upstreams: PlantUpstreams, isSticky: boolean): string {
  const prefixes =
    'plants' in upstreams ? Object.entries(upstreams.plants).map(([name, of]) => [`${name}-`, of] as const) : [['', upstreams] as const];
  return replaced('plants' in upstreams ? 'plants/plants.conf' : 'plants.conf', [
    ...(isSticky ? [] : [['sticky route $session_replica;', ''] as const]),
    ...prefixes.flatMap(([prefix, of]) =>
      SERVICES.map((service) => {
        const servers = of[service].map((base) => `server ${new URL(base).host} max_fails=0;`).join('\n    ');
        return [`server ${prefix}${service}:8080 resolve max_fails=0;`, servers] as const;
      }),
    ),
  ]);
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

/** Writes the delivered file for TLS, with a certificate that it makes. @returns the port */
async function writeTls(folder: string): Promise<number> {
  const port = await chooseFreePort();
  const subject = ['-subj', '/CN=localhost', '-days', '2', '-nodes'];
  const files = ['-keyout', join(folder, 'tls.key'), '-out', join(folder, 'tls.crt')];
  const { status, stderr } = spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', ...subject, ...files], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`openssl has failed: ${stderr}`);
  const text = replaced('tls/tls.conf', [
    ['listen 8443 ssl;', `listen 127.0.0.1:${port} ssl;`],
    ['/etc/nginx/certificates/', `${folder}/`],
  ]);
  mkdirSync(join(folder, 'tls'));
  writeFileSync(join(folder, 'tls/tls.conf'), text);
  return port;
}

/** @param trusted content of trusted-proxies.conf; default: the delivered file @param withTls whether it also has a port with TLS */
export async function startNginx(
  { program, isSticky }: Nginx,
  upstreams: PlantUpstreams,
  trusted?: string,
  withTls = false,
): Promise<RunningProxy & { own: string; tlsPort: number | undefined; accessLog: () => string; logged: () => string }> {
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-nginx-'));
  // nginx runs as another user when root starts it.
  chmodSync(folder, 0o777);
  const [main, own] = [await chooseFreePort(), await chooseFreePort()];
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, localConfiguration(folder, { main, own }));
  writeFileSync(join(folder, 'plants.conf'), localPlants(upstreams, isSticky));
  writeFileSync(join(folder, 'trusted-proxies.conf'), trusted ?? readFileSync(join(PROXY, 'trusted-proxies.conf')));
  const tlsPort = withTls ? await writeTls(folder) : undefined;
  const child = spawn(program, ['-p', folder, '-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (bytes: Buffer) => (said += bytes.toString()));
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(async () => child.exitCode !== null || (await accepts(main)));
    if (child.exitCode !== null) throw new Error(`nginx has ended: ${said}`);
  } catch (error) {
    await stop();
    throw error;
  }
  const accessLog = () => readFileSync(join(folder, 'access.log'), 'utf8');
  const logged = () => said + accessLog();
  return { origin: `http://127.0.0.1:${main}`, own: `http://127.0.0.1:${own}`, tlsPort, accessLog, logged, stop };
}
