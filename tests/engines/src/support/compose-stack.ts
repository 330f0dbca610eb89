import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually, isFreePort } from '@sinebar/testing';
import { parse } from 'yaml';
import { docker, killContainer } from './docker.ts';

export const ROOT = join(import.meta.dirname, '../../../..');
/** Tag of the product's image. */
export const VERSION = process.env['SINEBAR_VERSION'] ?? '0.1.0';
/** Begins the names of all projects, so that the command can remove what a broken run leaves. */
const PROJECT = process.env['ENGINES_PROJECT'] ?? 'sinebar-engines';

const PORTS = { first: 18_120, last: 18_139 };
const START_TIMEOUT_MS = 240_000;
const READY_TIMEOUT_MS = 180_000;
/** Variables that compose would read from the environment of the tests. */
const WITHHELD = /^(SINEBAR_|POSTGRES_|DATABASE_|NATS_|S3_|COMPOSE_)/;

export interface StackOptions {
  /** Name of the project; default: that of the command. */
  project?: string;
  /** Port on 127.0.0.1; default: a free one. */
  port?: number;
  /** Tag of the product's images; default: that of the checkout. */
  version?: string;
  /** Settings as in `.env`; empty secrets get random values. */
  env?: Readonly<Record<string, string>>;
  /** Number of containers by service. */
  scale?: Readonly<Record<string, number>>;
  /** Further compose files. */
  files?: readonly string[];
  /** Folder with `docker-compose.yml`; default: the checkout. */
  folder?: string;
}

interface Container {
  id: string;
  service: string;
  image: string;
  /** Changes with each start. */
  startedAt: string;
  isRunning: boolean;
}

interface Inspected {
  Id: string;
  State: { Running: boolean; StartedAt: string };
  Config: { Image: string; Labels: Record<string, string> };
}

/** The services of `docker-compose.yml` in an engine. */
export class ComposeStack {
  readonly url: string;
  private options: Required<StackOptions>;
  private readonly env: NodeJS.ProcessEnv;

  private constructor(options: Required<StackOptions>, frontNetwork: string) {
    this.options = options;
    this.url = `http://127.0.0.1:${options.port}`;
    const kept = Object.entries(process.env).filter(([name]) => !WITHHELD.test(name));
    this.env = {
      ...Object.fromEntries(kept),
      ...randomSecrets(),
      SINEBAR_PORT: String(options.port),
      SINEBAR_FRONT_NETWORK: frontNetwork,
      ...options.env,
    };
  }

  /** Starts a stack on new volumes and waits until it is ready. @throws when it does not become ready; then it is taken down */
  static async up(options: StackOptions = {}): Promise<ComposeStack> {
    const [anyPort = 0] = await freePorts(1);
    const { project = PROJECT, port = anyPort, version = VERSION, env = {}, scale = {}, files = [], folder = ROOT } = options;
    const complete = { project, port, version, env, scale, files, folder };
    const stack = new ComposeStack(complete, await freeNetwork());
    await stack.down({ volumes: true });
    try {
      await stack.start();
    } catch (error) {
      process.stderr.write(await stack.logs().catch(() => ''));
      await stack.down({ volumes: true });
      throw error;
    }
    return stack;
  }

  /** Runs `up` again with other images, files or numbers of containers, and waits until it is ready. */
  async change(options: Pick<StackOptions, 'version' | 'scale' | 'files' | 'folder'>): Promise<void> {
    this.options = { ...this.options, ...options };
    await this.start();
  }

  /** Creates and starts what is missing and waits until the product is ready. */
  async start(): Promise<void> {
    const scale = Object.entries(this.options.scale).flatMap(([service, count]) => ['--scale', `${service}=${count}`]);
    // Not --wait, which gives up when a health check on a busy machine is late; ready() waits longer.
    const up = () => this.compose(['up', '--detach', '--no-build', ...scale], START_TIMEOUT_MS);
    // A late check also ends `up` itself where a service depends on another; the second call continues from there.
    await up().catch(up);
    await this.ready();
  }

  /** Runs docker compose on the project. @returns what it prints */
  async compose(args: readonly string[], timeoutMs?: number): Promise<string> {
    const { project, folder, files, version } = this.options;
    const all = [join(folder, 'docker-compose.yml'), ...files].flatMap((file) => ['--file', file]);
    // Not `.env`, which has the settings of the person who works here.
    const command = ['compose', '--project-name', project, '--project-directory', folder, '--env-file', join(ROOT, '.env.example'), ...all];
    return await docker([...command, ...args], {
      env: { ...this.env, SINEBAR_VERSION: version },
      ...(timeoutMs !== undefined && { timeoutMs }),
    });
  }

  /** Runs a command in a running container. @param index number of the container of the service, from 1 */
  async exec(service: string, command: readonly string[], index = 1): Promise<string> {
    return await this.compose(['exec', '--no-TTY', '--index', String(index), service, ...command]);
  }

  /**
   * Kills the first process of a container like a crash, and waits until the engine has started it again and the product is ready.
   * @param index number of the container of the service, from 1
   * @returns how long that took, ms
   */
  async killAndWait(service: string, index = 1): Promise<number> {
    const id = await this.idOf(service, index);
    const find = async () => (await this.containers()).find((container) => container.id === id);
    const before = (await find())?.startedAt;
    const killedAt = performance.now();
    await killContainer(id, `sinebar:${VERSION}`);
    await eventually(async () => (await find())?.startedAt !== before, {
      describe: `${service} starts again`,
      timeoutMs: READY_TIMEOUT_MS,
      intervalMs: 200,
    });
    await this.ready();
    return performance.now() - killedAt;
  }

  /** Names of the services that run all the time; jobs end. */
  services(): string[] {
    const text = readFileSync(join(this.options.folder, 'docker-compose.yml'), 'utf8');
    const { services } = parse(text, { merge: true }) as { services: Record<string, { restart?: string; profiles?: string[] }> };
    return Object.entries(services)
      .filter(([, { restart, profiles }]) => restart !== undefined && restart !== 'no' && profiles === undefined)
      .map(([name]) => name);
  }

  /** Containers of the project, also those that have ended. */
  async containers(): Promise<Container[]> {
    const ids = (await docker(['ps', '--all', '--quiet', '--filter', `label=com.docker.compose.project=${this.options.project}`]))
      .split('\n')
      .filter((id) => id !== '');
    if (ids.length === 0) return [];
    return (JSON.parse(await docker(['inspect', ...ids])) as Inspected[]).map(({ Id, State, Config }) => ({
      id: Id,
      service: Config.Labels['com.docker.compose.service'] ?? '',
      image: Config.Image,
      startedAt: State.StartedAt,
      isRunning: State.Running,
    }));
  }

  /** Waits until the public health is good and all services run. The checks of the containers may be late on a busy machine. */
  async ready(): Promise<void> {
    const services = this.services();
    await eventually(
      async () => {
        const answer = await fetch(`${this.url}/healthServiceRest/ready`, { signal: AbortSignal.timeout(10_000) });
        const text = await answer.text();
        if (answer.status !== 200) throw new Error(`${answer.status} ${text.slice(0, 500)}`);
        const containers = (await this.containers()).filter(({ service }) => services.includes(service));
        const ended = containers.filter(({ isRunning }) => !isRunning).map(({ service }) => service);
        if (ended.length > 0) throw new Error(`not running: ${ended.join(', ')}`);
      },
      { describe: 'the product is ready', timeoutMs: READY_TIMEOUT_MS, intervalMs: 250 },
    );
  }

  async logs(service = ''): Promise<string> {
    return await this.compose(['logs', '--no-color', '--tail', '300', ...(service === '' ? [] : [service])]);
  }

  /** Removes the containers and networks. @param volumes also removes the data */
  async down({ volumes }: { volumes: boolean }): Promise<void> {
    await this.compose(['down', '--remove-orphans', '--timeout', '60', ...(volumes ? ['--volumes'] : [])], 180_000);
  }

  private async idOf(service: string, index: number): Promise<string> {
    const id = (await this.compose(['ps', '--quiet', '--no-trunc', service])).split('\n')[index - 1];
    if (!id) throw new Error(`the service ${service} has no container ${index}`);
    return id;
  }
}

/** A value for each variable that `.env.example` leaves empty. */
function randomSecrets(): Record<string, string> {
  const names = [...readFileSync(join(ROOT, '.env.example'), 'utf8').matchAll(/^([A-Z0-9_]+)=$/gm)].map(([, name = '']) => name);
  return Object.fromEntries(names.map((name) => [name, randomBytes(24).toString('hex')]));
}

/** @returns ports on 127.0.0.1 that nothing listens on, all different */
export async function freePorts(count: number): Promise<number[]> {
  const free: number[] = [];
  for (let port = PORTS.first; port <= PORTS.last && free.length < count; port += 1) if (await isFreePort(port)) free.push(port);
  if (free.length < count) throw new Error(`only ${free.length} ports from ${PORTS.first} to ${PORTS.last} are free`);
  return free;
}

/** @returns the first three numbers of a network that no other project uses */
async function freeNetwork(): Promise<string> {
  const ids = (await docker(['network', 'ls', '--quiet'])).split('\n').filter((id) => id !== '');
  const used = await docker(['network', 'inspect', ...ids]);
  for (let number = 200; number < 250; number += 1) if (!used.includes(`172.31.${number}.`)) return `172.31.${number}`;
  throw new Error('no network of 172.31.200 to 172.31.249 is free');
}
