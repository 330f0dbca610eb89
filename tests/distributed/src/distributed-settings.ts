import type { BackingVariables } from '@sinebar/local-servers';
import { plantName, problemOfPlantName } from '@sinebar/contracts';
import { SERVICES, type ServiceName } from './routing.ts';

export interface DistributedSettings {
  port: number;
  host: string;
  restart: boolean;
  replicas: Record<ServiceName, number>;
  stateFile: string | undefined;
  backingFile: string | undefined;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Variables that the starting program uses, or that it sets for each service. */
const OWN = [
  'SINEBAR_PORT',
  'SINEBAR_HOST',
  'SINEBAR_RESTART',
  'SINEBAR_REPLICAS',
  'SINEBAR_EVENTS_REPLICAS',
  'SINEBAR_NATS_SERVERS',
  'SINEBAR_STATE_FILE',
  'SINEBAR_BACKING_FILE',
  'SINEBAR_HEALTH_PEERS',
  'SINEBAR_SPOOL_DIR',
  'SINEBAR_MANAGEMENT_PORT',
] as const;
const BACKING = ['DATABASE_URL', 'NATS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY', 'S3_BUCKET', 'S3_REGION'] as const;
/** Credentials belong to addresses of the caller; started backing services have their own passwords. */
const CREDENTIALS = { DATABASE_URL: ['DATABASE_PASSWORD'], NATS_URL: ['NATS_USER', 'NATS_PASSWORD'] } as const;

/**
 * Reads the settings of the public address (`SINEBAR_PORT`, `SINEBAR_HOST`), of restarts and replicas, and the files for state and
 * addresses.
 * `SINEBAR_BACKING_FILE` receives addresses, secrets and process ids of started backing services.
 * @throws Error that names the variable and its valid values
 */
export function readDistributedSettings(environment: Environment): DistributedSettings {
  const value = (name: (typeof OWN)[number]) => environment[name] || undefined;
  const port = value('SINEBAR_PORT') ?? '8080';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    throw new Error(`SINEBAR_PORT must be a whole number from 0 to 65535, not "${port}".`);
  const restart = value('SINEBAR_RESTART') ?? 'off';
  if (!/^(on|off)$/i.test(restart)) throw new Error(`SINEBAR_RESTART must be on or off, not "${restart}".`);
  const number = (name: (typeof OWN)[number], otherwise: number) => {
    const text = value(name) ?? String(otherwise);
    if (!/^[1-9]$/.test(text)) throw new Error(`${name} must be 1 to 9, not "${text}".`);
    return Number(text);
  };
  const each = number('SINEBAR_REPLICAS', 1);
  const replicas = Object.fromEntries(SERVICES.map((name) => [name, each])) as Record<ServiceName, number>;
  return {
    port: Number(port),
    host: value('SINEBAR_HOST') ?? '127.0.0.1',
    restart: /^on$/i.test(restart),
    replicas: { ...replicas, events: number('SINEBAR_EVENTS_REPLICAS', each) },
    stateFile: value('SINEBAR_STATE_FILE'),
    backingFile: value('SINEBAR_BACKING_FILE'),
  };
}

/**
 * Reads the arguments behind `node scripts/launch.mjs distributed`: `--plants a,b`.
 * @returns the plants; `undefined` for the only one. @throws Error with a sentence about a wrong argument
 */
export function readPlants(argv: readonly string[]): string[] | undefined {
  const [option, list, ...others] = argv.flatMap((word) => (word.startsWith('--plants=') ? ['--plants', word.slice(9)] : [word]));
  if (option === undefined) return undefined;
  if (option !== '--plants' || list === undefined || others.length > 0) {
    throw new Error(
      'node scripts/launch.mjs distributed takes --plants NAME,NAME and no other argument. Everything else is set with variables.',
    );
  }
  const plants = list.split(',').map((name) => plantName(name.trim()));
  for (const name of plants) {
    const problem = problemOfPlantName(name);
    if (problem !== undefined) throw new Error(`The name "${name}" of a plant ${problem}.`);
  }
  if (new Set(plants).size < plants.length) throw new Error('--plants names a plant twice.');
  return plants;
}

/**
 * Returns the environment of each service: only the addresses and secrets that it uses, and everything else.
 * @param spoolFolder used when the environment names no `SINEBAR_SPOOL_DIR`
 */
export function serviceEnvironments(
  environment: Environment,
  backing: BackingVariables,
  spoolFolder: string,
): Record<ServiceName, Record<string, string>> {
  // The services see the proxy on this machine instead of their clients.
  const kept: Record<string, string> = {
    SINEBAR_TRUSTED_PROXIES: 'loopback',
    // Each of several services on one machine logs the port that it has chosen.
    SINEBAR_MANAGEMENT_PORT: /^off$/i.test(environment['SINEBAR_MANAGEMENT_PORT'] ?? '') ? 'off' : '0',
  };
  const withheld = new Set<string>([...OWN, ...BACKING, ...Object.values(CREDENTIALS).flat()].flatMap((name) => [name, `${name}_FILE`]));
  for (const [name, value] of Object.entries(environment)) if (value !== undefined && !withheld.has(name)) kept[name] = value;
  const given = (...names: (keyof BackingVariables)[]) =>
    Object.fromEntries(names.flatMap((name) => (backing[name] === undefined ? [] : [[name, backing[name]]]))) as Record<string, string>;
  const credentials = (...addresses: (keyof typeof CREDENTIALS)[]) =>
    Object.fromEntries(
      addresses
        .filter((address) => environment[address] || environment[`${address}_FILE`])
        .flatMap((address) => CREDENTIALS[address].flatMap((name) => [name, `${name}_FILE`]))
        .flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    ) as Record<string, string>;
  const spool = { SINEBAR_SPOOL_DIR: environment['SINEBAR_SPOOL_DIR'] || spoolFolder };
  return {
    inspection: { ...kept, ...spool, ...given('DATABASE_URL', 'NATS_URL'), ...credentials('DATABASE_URL', 'NATS_URL') },
    'raw-data': {
      ...kept,
      ...given('DATABASE_URL', 'NATS_URL', 'S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'),
      ...credentials('DATABASE_URL', 'NATS_URL'),
      S3_BUCKET: environment['S3_BUCKET'] || 'sinebar',
      S3_REGION: environment['S3_REGION'] || 'us-east-1',
      ...spool,
    },
    events: { ...kept, ...given('NATS_URL'), ...credentials('NATS_URL') },
  };
}
