import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isFreePort } from '@sinebar/testing';

const ROOT = join(import.meta.dirname, '../../../..');
/** Variables that compose would read from the environment of the tests. */
const WITHHELD = /^(SINEBAR_|POSTGRES_|DATABASE_|NATS_|S3_|COMPOSE_)/;
const COMMAND_TIMEOUT_MS = 300_000;

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface ComposeProjectOptions {
  project: string;
  port: number;
  /** First three numbers of the network between proxy and services. */
  network: string;
  /** Further compose files. */
  files?: readonly string[];
  /** Settings as in `.env`. */
  env?: Readonly<Record<string, string>>;
}

/** @returns why no test can use docker; `undefined` when an engine with compose answers */
export function whyNoCompose(): string | undefined {
  for (const args of [['info'], ['compose', 'version']]) {
    const { error, status } = spawnSync('docker', args, { stdio: 'ignore', timeout: 20_000 });
    if (error || status !== 0) return `docker ${args.join(' ')} failed`;
  }
  return undefined;
}

/** `docker-compose.yml` of the checkout under a project name of its own, with random secrets. */
export class ComposeProject {
  readonly url: string;
  private readonly options: ComposeProjectOptions;
  private readonly env: NodeJS.ProcessEnv;

  constructor(options: ComposeProjectOptions) {
    this.options = options;
    this.url = `http://127.0.0.1:${options.port}`;
    const secrets = [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=$/gm)].map(([, name = '']) => name);
    this.env = {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !WITHHELD.test(name))),
      ...Object.fromEntries(secrets.map((name) => [name, randomBytes(24).toString('hex')])),
      SINEBAR_VERSION: process.env['SINEBAR_VERSION'] ?? '0.1.0',
      SINEBAR_PORT: String(options.port),
      SINEBAR_FRONT_NETWORK: options.network,
      ...options.env,
    };
  }

  /** Runs docker compose on the project; a failure is a result, not an error. */
  run(
    args: readonly string[],
    { input = '', env = {} }: { input?: string; env?: Readonly<Record<string, string>> } = {},
  ): Promise<CommandResult> {
    const files = [join(ROOT, 'docker-compose.yml'), ...(this.options.files ?? [])].flatMap((file) => ['--file', file]);
    const command = ['compose', '--project-name', this.options.project, '--env-file', join(ROOT, '.env.example'), ...files];
    return new Promise((resolve, reject) => {
      const child = spawn('docker', [...command, ...args], {
        env: { ...this.env, ...env },
        timeout: COMMAND_TIMEOUT_MS,
        killSignal: 'SIGKILL',
      });
      let [stdout, stderr] = ['', ''];
      child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
      child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
      child.stdin.on('error', () => undefined).end(input);
      child.on('error', reject);
      child.on('close', (code) => resolve({ code, stdout, stderr }));
    });
  }

  /** Runs docker compose. @returns what it prints. @throws an error with its messages when it fails */
  async must(args: readonly string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(args);
    if (code !== 0) throw new Error(`docker compose ${args.join(' ')} ended with ${code}: ${stderr.slice(-4000)}`);
    return stdout;
  }

  /** Starts what is missing and waits until all services are healthy. */
  async up(): Promise<void> {
    await this.must(['up', '--detach', '--no-build', '--wait', '--wait-timeout', '240']);
  }

  /** Runs a command of the service "tools". */
  tools(args: readonly string[], options: { input?: string } = {}): Promise<CommandResult> {
    return this.run(['run', '--rm', '--no-TTY', 'tools', ...args], options);
  }

  async down({ volumes }: { volumes: boolean }): Promise<void> {
    await this.must(['--profile', 'tools', 'down', '--remove-orphans', ...(volumes ? ['--volumes'] : [])]);
  }
}

/** @returns the first of these ports on 127.0.0.1 that nothing listens on */
export async function firstFreePort(first: number, last: number): Promise<number> {
  for (let port = first; port <= last; port += 1) if (await isFreePort(port)) return port;
  throw new Error(`no port from ${first} to ${last} is free`);
}
