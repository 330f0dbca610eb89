import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { chooseFreePort } from '@sinebar/local-servers';
import { ReverseProxy } from './proxy.ts';
import { SERVICES, type ServiceName } from './routing.ts';
import { ServiceProcess } from './distributed-process.ts';

export interface DistributedOptions {
  /** Port of the public address; 0 takes a free one. */
  port: number;
  host: string;
  /** Words after `node` that run each service. */
  commands: Readonly<Record<ServiceName, readonly string[]>>;
  /** Plants, each with services of its own below `/<name>/`; by default the only one, at the root. */
  plants?: readonly string[];
  /** Environment of each service in addition to its own address and plant. `{plant}` in a value is replaced by the name of the plant. */
  environments: Readonly<Record<ServiceName, NodeJS.ProcessEnv>>;
  /** Number of processes of each service; default 1. */
  replicas?: Readonly<Partial<Record<ServiceName, number>>>;
  /** True to restart a service that has ended by itself. */
  restart: boolean;
  /** File that is kept up to date with the {@link DistributedState}. */
  stateFile?: string | undefined;
  /** Longest wait until all are ready. */
  startLimitMs?: number;
  report: (line: string) => void;
  signal: AbortSignal;
}

export interface DistributedState {
  port: number;
  /** `pid` is 0 after the end of the process. */
  services: { name: ServiceName; pid: number; url: string; plant?: string }[];
}

export interface DistributedSystem {
  port: number;
  state(): DistributedState;
  /** Closes the public address, then stops the services in reverse order of their dependencies. `atOnce` aborts the wait. */
  stop(atOnce?: AbortSignal): Promise<void>;
}

const NEVER = new AbortController().signal;

/**
 * Starts the three services in separate processes, one or several of each, behind the reverse proxy, which answers 503 until they are
 * ready.
 * @throws when the port is taken, a service ends before it is ready, or the signal is aborted; all processes are stopped then.
 */
export async function startDistributed(options: DistributedOptions): Promise<DistributedSystem> {
  const { report, stateFile, replicas = {}, plants = [''] } = options;
  const names = plants.flatMap((plant) => SERVICES.flatMap((name) => Array.from({ length: replicas[name] ?? 1 }, () => ({ plant, name }))));
  const addresses = await Promise.all(names.map(async (address) => ({ ...address, port: await chooseFreePort() })));
  const urlsOf = (plant: string) =>
    Object.fromEntries(
      SERVICES.map((service) => [
        service,
        addresses.filter(({ name, plant: of }) => name === service && of === plant).map(({ port }) => `http://127.0.0.1:${port}`),
      ]),
    ) as Record<ServiceName, string[]>;
  const proxy = new ReverseProxy(
    options.plants === undefined
      ? { upstreams: urlsOf('') }
      : { plants: Object.fromEntries(plants.map((plant) => [plant, urlsOf(plant)])) },
  );
  const port = await proxy.listen(options.port, options.host);
  const peersIn = (plant: string) =>
    SERVICES.filter((name) => name !== 'inspection')
      .map((name) => urlsOf(plant)[name].join('|'))
      .join(',');
  const services = addresses.map(
    ({ plant, name, port: servicePort }) =>
      new ServiceProcess({
        name,
        plant,
        command: options.commands[name],
        port: servicePort,
        environment: {
          ...(plant === '' ? options.environments[name] : environmentOfPlant(options.environments[name], plant, port)),
          SINEBAR_HOST: '127.0.0.1',
          SINEBAR_PORT: String(servicePort),
          ...(name === 'inspection' && { SINEBAR_HEALTH_PEERS: peersIn(plant) }),
        },
        restart: options.restart,
        report,
        onStarted: () => save(),
      }),
  );
  const state = (): DistributedState => ({
    port,
    services: services.map(({ name, plant, pid, url }) => ({ name, pid, url, ...(plant !== '' && { plant }) })),
  });
  let complete = false;
  function save(): void {
    if (stateFile !== undefined && complete) writeState(stateFile, state());
  }
  let stopping: Promise<void> | undefined;
  const stop = (atOnce: AbortSignal = NEVER) => (stopping ??= stopAll(atOnce));
  async function stopAll(atOnce: AbortSignal): Promise<void> {
    await proxy.close(atOnce.aborted ? 0 : 5000);
    for (const service of [...services].reverse()) await service.stop(atOnce);
    if (stateFile !== undefined) rmSync(stateFile, { force: true });
  }

  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal, AbortSignal.timeout(options.startLimitMs ?? 120_000)]);
  try {
    for (const service of services) service.start();
    await Promise.all(
      services.map((service) =>
        service.ready(signal).catch((error: unknown) => {
          failed.abort(error);
          throw error;
        }),
      ),
    );
  } catch (error) {
    await stop();
    throw error;
  }
  complete = true;
  save();
  return { port, state, stop };
}

/** Returns the environment of a service of one plant: the public address has the plant behind it. */
function environmentOfPlant(environment: NodeJS.ProcessEnv, plant: string, port: number): NodeJS.ProcessEnv {
  const named = Object.entries(environment).map(([name, value]) => [name, value?.replaceAll('{plant}', plant)] as const);
  const publicUrl = environment['SINEBAR_PUBLIC_URL'] || `http://127.0.0.1:${port}`;
  return { ...Object.fromEntries(named), SINEBAR_PLANT: plant, SINEBAR_PUBLIC_URL: `${publicUrl.replace(/\/+$/, '')}/${plant}` };
}

/** Writes the file atomically, with access for its owner only. */
export function writeState(file: string, state: object): void {
  const next = `${file}.${process.pid}.new`;
  writeFileSync(next, `${JSON.stringify(state)}\n`, { mode: 0o600 });
  renameSync(next, file);
}
