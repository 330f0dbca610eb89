import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { greetsWithJetStream } from './nats.ts';
import { chooseFreePort } from './ports.ts';
import { killGroup } from './processes.ts';
import type { RunFolder } from './run-folder.ts';
import { onFreePort, startServer, type FolderServerOptions } from './folder-server.ts';
import type { RunningServer } from './supervisor.ts';

const SIZE = 3;

/** Three NATS servers with JetStream that form a cluster, of which any one may be ended. */
export interface NatsCluster {
  readonly url: string;
  /** Servers by name, in the order of the address. */
  readonly servers: ReadonlyMap<string, RunningServer>;
  /** Index of the stream leader, from 0; `undefined` without one. */
  findLeader(stream: string): Promise<number | undefined>;
  /** Whether the stream has a leader and current followers, so one server may fail. */
  isComplete(stream: string): Promise<boolean>;
  /** Ends a server as a power cut would. */
  kill(index: number): Promise<void>;
  /** Starts a server that was killed, on its ports and data. */
  start(index: number): Promise<void>;
  stop(): Promise<void>;
}

interface Member {
  name: string;
  port: number;
  routePort: number;
  monitorPort: number;
}

/**
 * Starts the cluster on files of the run's folder and private ports of 127.0.0.1; resolves when each server answers, which may be before
 * they have elected a leader.
 */
export async function startNatsCluster(folder: RunFolder, program: string, options?: FolderServerOptions): Promise<NatsCluster> {
  return await onFreePort(
    () => Promise.resolve(0),
    async () => {
      const members = await chooseMembers();
      const running: RunningServer[] = [];
      const start = async (index: number) => {
        const member = members[index] as Member;
        const configFile = join(folder.path, `${member.name}.conf`);
        writeFileSync(configFile, clusterConfig(folder, member, members));
        running[index] = await startServer(
          folder,
          { name: member.name, program, args: ['-c', configFile], isReady: () => greetsWithJetStream(member.port) },
          options,
        );
      };
      const stop = async () => {
        for (const server of running) await server.stop();
      };
      try {
        await Promise.all(members.map((_, index) => start(index)));
      } catch (error) {
        await stop();
        throw error;
      }
      return {
        url: members.map(({ port }) => `nats://127.0.0.1:${port}`).join(','),
        servers: new Map(members.map(({ name }, index) => [name, running[index] as RunningServer])),
        findLeader: async (stream) => (await findLead(stream, members))?.index,
        isComplete: async (stream) => (await findLead(stream, members))?.isComplete === true,
        async kill(index) {
          const server = running[index] as RunningServer;
          killGroup(server.pid);
          await server.ended;
        },
        start,
        stop,
      };
    },
  );
}

async function chooseMembers(): Promise<Member[]> {
  const ports = new Set<number>();
  while (ports.size < 3 * SIZE) ports.add(await chooseFreePort());
  const all = [...ports];
  return Array.from({ length: SIZE }, (_, index) => {
    const [port, routePort, monitorPort] = all.slice(3 * index) as [number, number, number];
    return { name: `nats-${index}`, port, routePort, monitorPort };
  });
}

/** The configuration has no `sync_interval: always`: in a cluster the copies replace the flush to disk. */
function clusterConfig(folder: RunFolder, { name, port, routePort, monitorPort }: Member, members: readonly Member[]): string {
  const storeFolder = join(folder.path, name);
  mkdirSync(storeFolder, { recursive: true, mode: 0o700 });
  return [
    `server_name: "${name}"`,
    `listen: "127.0.0.1:${port}"`,
    `http: "127.0.0.1:${monitorPort}"`,
    `jetstream { store_dir: ${JSON.stringify(storeFolder)} }`,
    'cluster {',
    '  name: "sinebar-test"',
    `  listen: "127.0.0.1:${routePort}"`,
    `  routes: [${members.map((member) => `"nats://127.0.0.1:${member.routePort}"`).join(', ')}]`,
    '}',
    '',
  ].join('\n');
}

interface StreamsAnswer {
  account_details?: {
    stream_detail?: { name: string; cluster?: { leader?: string; replicas?: { current?: boolean; offline?: boolean }[] } }[];
  }[];
}

interface Lead {
  index: number;
  isComplete: boolean;
}

/** Only the leader's own report counts; reports of others may be outdated. */
async function findLead(stream: string, members: readonly Member[]): Promise<Lead | undefined> {
  const claims = await Promise.all(
    members.map(async ({ name, monitorPort }, index): Promise<Lead | undefined> => {
      try {
        const answer = await fetch(`http://127.0.0.1:${monitorPort}/jsz?streams=1`, { signal: AbortSignal.timeout(1000) });
        const { account_details: accounts = [] } = (await answer.json()) as StreamsAnswer;
        const streams = accounts.flatMap(({ stream_detail: details = [] }) => details);
        const own = streams.find((detail) => detail.name === stream)?.cluster;
        if (own?.leader !== name) return undefined;
        const others = own.replicas ?? [];
        return {
          index,
          isComplete: others.length === SIZE - 1 && others.every(({ current, offline }) => current === true && offline !== true),
        };
      } catch {
        return undefined;
      }
    }),
  );
  return claims.find((claim) => claim !== undefined);
}
