import { readFileSync } from 'node:fs';
import { freePort } from '@sinebar/testing';
import { isAlive, postmasterPid, type Product, type StartedProduct } from './product.ts';
import { isReady, until } from '../requests/rest-client.ts';
import type { Variant } from './variant.ts';

/** A product that can be crashed in several ways. Each function returns when the killed process is being restarted. */
export interface Victim {
  url: string;
  crashes: Readonly<Record<string, () => Promise<void>>>;
  product: () => StartedProduct;
  /** Starts it again after an orderly stop. */
  startAgain: () => Promise<void>;
}

/** Kills the whole process, which leaves its database running, or only the database, which the process restarts. */
export async function standaloneVictim(variant: Variant, onStarted: (product: StartedProduct) => void): Promise<Victim> {
  const env = { SINEBAR_PORT: String(await freePort()) };
  const startAgain = async () => onStarted((product = await variant.start(env)));
  let product = await variant.start(env);
  onStarted(product);
  const killProcess = async () => {
    await product.crash();
    await startAgain();
  };
  const killDatabase = async () => {
    const killed = postmasterPid(variant.dataFolder ?? '');
    process.kill(killed, 'SIGKILL');
    const runsAgain = () => ![0, killed].includes(postmasterPid(variant.dataFolder ?? ''));
    await until('the database runs again, or was given up', () => runsAgain() || !isAlive(product.pid), 120_000);
    // When the database ends too often the process ends too; its supervisor restarts it.
    if (!isAlive(product.pid)) await startAgain();
  };
  return { url: product.url, crashes: { process: killProcess, database: killDatabase }, product: () => product, startAgain };
}

/** Signals the processes of a service in turn, and waits until each is replaced. */
export function serviceCrash(product: Product, service: string, signal: NodeJS.Signals = 'SIGKILL'): () => Promise<void> {
  let turn = 0;
  return async () => {
    const replicas = product.services().filter(({ name }) => name === service);
    const { url, pid: ended } = replicas[turn++ % replicas.length] ?? { url: '', pid: 0 };
    const pid = () => product.services().find((candidate) => candidate.url === url)?.pid ?? 0;
    process.kill(ended, signal);
    await until(`${service} runs again`, () => ![0, ended].includes(pid()), 60_000);
  };
}

/** Whether every replica is ready; the aggregated health needs one of each service. */
export async function areAllReady(product: Product): Promise<boolean> {
  return (await Promise.all([product, ...product.services()].map(({ url }) => isReady(url)))).every(Boolean);
}

/** State of servers that were started with the product (`ownServersKind`). */
export interface BackingState {
  folder: string;
  variables: Record<string, string>;
  servers: { name: string; pid: number }[];
}

export function backingOf(variant: Variant): BackingState {
  return JSON.parse(readFileSync(variant.environment['SINEBAR_BACKING_FILE'] ?? '', 'utf8')) as BackingState;
}

/** Kills a server that was started with the product, and waits for its restart. */
export function serverCrash(variant: Variant, server: string): () => Promise<void> {
  const pid = () => backingOf(variant).servers.find(({ name }) => name === server)?.pid ?? 0;
  return async () => {
    const killed = pid();
    process.kill(killed, 'SIGKILL');
    await until(`${server} runs again`, () => pid() !== killed, 120_000);
  };
}
