import type { IncomingMessage, Server } from 'node:http';
import type { Principal } from '@sinebar/access-control';
import { commandText, ServiceError, StartRefusal, type Tracer } from '@sinebar/contracts';
import type { Express } from 'express';
import {
  BrowserGuard,
  clientAddressReader,
  PerUserLimit,
  createHttpApp,
  closeHttpServer,
  createHttpServer,
  listen,
  documentRoute,
  type Route,
} from '@sinebar/http';
import { healthRoutes } from './health.ts';
import { createLogger, type Logger } from './logger.ts';
import { startManagement } from './management-server.ts';
import { httpMetrics } from './metrics/http-metrics.ts';
import { Metrics } from './metrics/metrics.ts';
import { PRODUCT_VERSION } from './product-version.ts';
import { processMetrics } from './metrics/process-metrics.ts';
import type { ServerSettings } from './settings/server-settings.ts';
import type { HealthCheck, ComposedService } from './service.ts';
import { loadSettings, SettingsError, type Environment, type SettingDefinitions, type SettingsOf } from './settings/settings.ts';
import { pause, Shutdown } from '@sinebar/concurrency';
import { stopOnSignals, type StoppableProcess } from './stop-on-signals.ts';
import { openTracing } from './tracing/open-tracing.ts';

export interface ServeOptions {
  /** One or several services that share the address. */
  services: readonly ComposedService[];
  settings: ServerSettings;
  log: Logger;
  shutdown: Shutdown;
  /** Authenticates requests; without it every request has all rights. @throws ServiceError 401, 429, 503 */
  authenticate?: ((request: IncomingMessage) => Promise<Principal>) | undefined;
  /** Health checks of the process that belong to no single service. */
  ownHealth?: (() => Promise<HealthCheck[]>) | undefined;
  /** Creates spans of requests; its creator closes it. */
  tracer?: Tracer | undefined;
  /** Metrics of the process that belong to no single service. */
  ownMetrics?: ((metrics: Metrics) => void) | undefined;
}

export interface RunningServer {
  app: Express;
  server: Server;
  port: number;
  /** Port of the management address; `undefined` when it is off. */
  managementPort: number | undefined;
}

/** Time for running requests to end at shutdown, milliseconds. */
const GRACE_MS = 15_000;
/** Time for background work to end and connections to close, milliseconds. */
const WORK_MS = 10_000;
const BACKING_MS = 10_000;
/** Slack that the deadline of a shutdown step has over its normal duration, milliseconds. */
const ANNOUNCE_SLACK_MS = 1000;
const ACCEPT_SLACK_MS = 2000;
const MAX_START_WAIT_MS = 5000;

/**
 * Listens, then starts the services.
 * It waits for an unreachable database or broker; requests answer 503 and `/ready` fails meanwhile. Registers all steps of the shutdown.
 * @throws the system's error when the address is not available, and the error of a service that refuses to start
 */
export async function serve(options: ServeOptions): Promise<RunningServer> {
  const { services, settings, log, shutdown } = options;
  let started = false;
  if (options.authenticate) warnWhenAnyHost(settings, log);
  const isStopping = () => shutdown.started;
  const check = async () => {
    const starting = started ? [] : [{ name: 'process', healthy: false, detail: 'is starting' }];
    const checks = (await Promise.all([...services.map((service) => service.health()), options.ownHealth?.() ?? []])).flat();
    return [...starting, ...withoutDuplicates(checks)];
  };
  const publicUrl = settings.SINEBAR_PUBLIC_URL;
  const guard = new BrowserGuard({ ...settings, isOpen: !options.authenticate, host: settings.SINEBAR_HOST, publicUrl });
  const health = healthRoutes({
    check,
    peers: settings.SINEBAR_HEALTH_PEERS,
    isStopping,
    maySeeDetails: async (request) => guard.isLocal(request) || (await isSignedIn(request, options.authenticate)),
  });
  const metrics = measure(options);
  const app = createHttpApp({
    routes: [...services.flatMap((service) => documentedRoutes(service, health)), ...health],
    log,
    limits: {
      bodyBytes: settings.SINEBAR_BODY_LIMIT_BYTES,
      inFlightBytes: settings.SINEBAR_BODIES_IN_FLIGHT_BYTES,
      maxExpansion: settings.SINEBAR_MAX_DECOMPRESSION_RATIO,
    },
    debugErrors: settings.SINEBAR_DEBUG_ERRORS,
    publicUrl,
    guard,
    searches: new PerUserLimit({
      limit: settings.SINEBAR_SEARCHES_PER_USER,
      what: 'searches',
      setting: 'SINEBAR_SEARCHES_PER_USER',
      addressOf: clientAddressReader(settings.SINEBAR_TRUSTED_PROXIES),
    }),
    isStopping,
    isStarted: () => started,
    observer: metrics && httpMetrics(metrics),
    tracer: options.tracer,
    ...(options.authenticate && { authenticate: options.authenticate }),
  });
  const server = createHttpServer(app);
  for (const service of services) service.attach?.(server, guard);
  const port = await listen(server, settings.SINEBAR_PORT, settings.SINEBAR_HOST);
  shutdown.add('announce', 'wait until nobody sends requests here', settings.SINEBAR_DRAIN_MS + ANNOUNCE_SLACK_MS, () =>
    pause(settings.SINEBAR_DRAIN_MS),
  );
  shutdown.add('accept', 'http server', GRACE_MS + ACCEPT_SLACK_MS, () => closeHttpServer(server, GRACE_MS));
  const managementPort = metrics && (await openManagement(options, metrics, health));
  for (const service of services) {
    if (service.release) shutdown.add('accept', `connections of ${service.name}`, GRACE_MS, () => service.release?.() ?? Promise.resolve());
    shutdown.add('work', service.name, WORK_MS, () => service.stop());
    await startWhenPossible(service, shutdown, log);
  }
  started = true;
  log.info({ host: settings.SINEBAR_HOST, port, services: services.map(({ name }) => name) }, 'ready for requests');
  return { app, server, port, managementPort };
}

/** Whether a request for an open resource carries valid credentials. */
async function isSignedIn(request: IncomingMessage, authenticate: ServeOptions['authenticate']): Promise<boolean> {
  if (!authenticate || request.headers.authorization === undefined) return false;
  try {
    await authenticate(request);
    return true;
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
}

function documentedRoutes({ routes, document }: ComposedService, health: readonly Route[]): readonly Route[] {
  return document ? [...routes, documentRoute(document, PRODUCT_VERSION, [...routes, ...health])] : routes;
}

/** Creates the metrics; `undefined` without a management address to read them. */
function measure({ settings, log, services, ownMetrics }: ServeOptions): Metrics | undefined {
  if (settings.SINEBAR_MANAGEMENT_PORT === 'off') return undefined;
  const metrics = new Metrics(log, settings.SINEBAR_PLANT);
  processMetrics(metrics);
  ownMetrics?.(metrics);
  for (const service of services) service.observe?.(metrics);
  return metrics;
}

/** Starts the management server. @returns its port. @throws SettingsError when its address is not available */
async function openManagement(
  { settings, log, shutdown }: ServeOptions,
  metrics: Metrics,
  health: readonly Route[],
): Promise<number | undefined> {
  const { SINEBAR_MANAGEMENT_HOST: host, SINEBAR_MANAGEMENT_PORT: wanted } = settings;
  if (wanted === 'off') return undefined;
  // The management address needs no sign-in, whatever the public address demands.
  const guard = new BrowserGuard({ ...settings, isOpen: true, host, publicUrl: settings.SINEBAR_PUBLIC_URL });
  const { port, close } = await startManagement({ host, port: wanted, metrics, health, guard, log });
  // The management server closes last, so that the shutdown can be observed.
  shutdown.add('backing', 'management server', 3000, close);
  log.info({ host, port }, 'metrics and health for operators');
  return port;
}

async function startWhenPossible(service: ComposedService, shutdown: Shutdown, log: Logger): Promise<void> {
  for (let waitMs = 250; ; waitMs = Math.min(waitMs * 2, MAX_START_WAIT_MS)) {
    try {
      await service.start();
      return;
    } catch (error) {
      if (!(error instanceof ServiceError) || error.status !== 503 || shutdown.started) throw error;
      log.warn({ service: service.name, reason: error.message, waitMs }, 'cannot start yet');
      await pause(waitMs);
    }
  }
}

export interface BuiltServices {
  /** One or several services that share the address. */
  services: readonly ComposedService[];
  /** Authenticates requests; without it every request has all rights. @throws ServiceError 401, 429, 503 */
  authenticate?: ServeOptions['authenticate'];
  ownHealth?: ServeOptions['ownHealth'];
  ownMetrics?: ServeOptions['ownMetrics'];
  /** Closes the connections that were opened for the services. */
  close: () => Promise<void>;
}

/**
 * Runs one or several services in this process: settings from the environment, composition, HTTP, signals.
 * A failed start logs the reason and exits with code 1.
 */
export async function runServices<D extends SettingDefinitions>(
  running: StoppableProcess & { readonly env: Environment },
  name: string,
  definitions: D,
  build: (settings: SettingsOf<D>, log: Logger, tracer: Tracer | undefined) => Promise<BuiltServices>,
): Promise<void> {
  let log = createLogger({ service: name, level: 'info' });
  let shutdown: Shutdown | undefined;
  try {
    const { values, unknown } = loadSettings(definitions, running.env);
    const settings = values as SettingsOf<D> & ServerSettings;
    log = createLogger({ service: name, plant: settings.SINEBAR_PLANT, level: settings.SINEBAR_LOG_LEVEL });
    if (unknown.length > 0) log.warn({ unknown }, `unknown variables; see ${commandText('check-config')}`);
    shutdown = new Shutdown(log);
    stopOnSignals(running, shutdown);
    const { tracer, close: closeTracing } = await openTracing(settings, name, log);
    shutdown.add('backing', 'spans', 5000, closeTracing);
    const { services, authenticate, ownHealth, ownMetrics, close } = await build(values, log, tracer);
    if (!authenticate) warnWhenOpen(settings, log);
    shutdown.add('backing', 'connections', BACKING_MS, close);
    await serve({ services, settings, log, shutdown, authenticate, ownHealth, ownMetrics, tracer });
  } catch (error) {
    // A signal arrived during the start: the running shutdown ends the process.
    if (shutdown?.started) return;
    if (error instanceof SettingsError || error instanceof StartRefusal) log.fatal(error.message);
    else log.fatal({ err: error }, 'the process could not start');
    running.exit(1);
  }
}

/** Warns at every start that every client can change everything on an open server. */
function warnWhenOpen(settings: Pick<ServerSettings, 'SINEBAR_HOST'>, log: Logger): void {
  if (!isLoopback(settings.SINEBAR_HOST)) {
    log.warn(
      { host: settings.SINEBAR_HOST },
      'listening beyond this machine without authentication: whoever reaches this address can read and change everything',
    );
  }
}

/** Warns at every start that a server with sign-in answers under every name while nothing says which are its own. */
function warnWhenAnyHost(settings: Pick<ServerSettings, 'SINEBAR_PUBLIC_URL' | 'SINEBAR_HOSTS'>, log: Logger): void {
  if (settings.SINEBAR_PUBLIC_URL === undefined && settings.SINEBAR_HOSTS.length === 0) {
    log.warn(
      'neither SINEBAR_PUBLIC_URL nor SINEBAR_HOSTS is set: the server answers under every host name, also one that somebody else points here',
    );
  }
}

/** Returns the time after which a stopping process has certainly ended, milliseconds; `drainMs` is its SINEBAR_DRAIN_MS. */
export function longestStopMs(drainMs: number): number {
  return drainMs + ANNOUNCE_SLACK_MS + GRACE_MS + ACCEPT_SLACK_MS + WORK_MS + BACKING_MS;
}

export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Runs a command: settings from the environment, one task. Logs the reason of a failure. @returns the exit code, 0 or 1 */
export async function runCommand<D extends SettingDefinitions>(
  env: Environment,
  name: string,
  definitions: D,
  run: (settings: SettingsOf<D>, log: Logger) => Promise<void>,
): Promise<number> {
  const log = createLogger({ service: name, level: 'info' });
  try {
    await run(loadSettings(definitions, env).values, log);
    return 0;
  } catch (error) {
    if (error instanceof SettingsError || error instanceof StartRefusal) log.fatal(error.message);
    else log.fatal({ err: error }, 'the command failed');
    return 1;
  }
}

/** Removes duplicates: services in one process share dependencies such as the bus. */
function withoutDuplicates(checks: readonly HealthCheck[]): HealthCheck[] {
  return [...new Map(checks.map((check) => [JSON.stringify(check), check])).values()];
}
