import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { ChangeEnvelope } from '@sinebar/contracts';
import { describeUnless, eventually, freePort, startProcess, type RunningProcess } from '@sinebar/testing';
import { endOf, idsOf, testEnvelope } from '@sinebar/testing/bus-contract';
import type { Bus, StreamMessage } from '../bus.ts';
import { connectNatsBus } from './nats-bus.ts';
import { isSupported } from './nats-link.ts';
import { findNatsServer } from './nats-server.fixture.ts';

const DISK = '24m';
const found = findNatsServer(isSupported, [process.env['NATS_SERVER_BIN'], 'nats-server']);
/** Only root mounts file systems. */
const mayMount = process.platform === 'linux' && process.getuid?.() === 0;
const why =
  'missing' in found ? `no nats-server that is 2.10 or newer; ${found.missing}` : mayMount ? undefined : 'only root mounts a disk';

describeUnless(why, 'a full disk of the broker', () => {
  let disk: string;
  let port: number;
  let server: RunningProcess;
  let bus: Bus;
  const start = () =>
    startProcess('path' in found ? found.path : '', ['-js', '-a', '127.0.0.1', '-p', String(port), '-sd', join(disk, 'data')], {
      ready: /Server is ready/,
    });
  const fill = () => join(disk, 'fill');

  beforeAll(async () => {
    disk = await mkdtemp(join(tmpdir(), 'sinebar-full-nats-'));
    spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk], { stdio: 'inherit' });
    port = await freePort();
    server = await start();
    bus = await connectNatsBus({
      servers: `nats://127.0.0.1:${port}`,
      name: 'test',
      streamName: 'FULL',
      subjectPrefix: 'full',
      stream: { maxBytes: 2 ** 22 },
    });
  });
  afterAll(async () => {
    await bus?.close();
    await server?.kill9();
    spawnSync('umount', [disk], { stdio: 'inherit' });
    await rm(disk, { recursive: true, force: true });
  });

  it('refuses messages with a reason, keeps what it has acknowledged, and takes them after its restart', async () => {
    const begin = await endOf(bus);
    const acknowledged: ChangeEnvelope[] = [];
    const publish = async (envelope: ChangeEnvelope) => {
      await bus.publish([envelope]);
      acknowledged.push(envelope);
    };
    await publish(testEnvelope());
    spawnSync('dd', ['if=/dev/zero', `of=${fill()}`, 'bs=64k'], { stdio: 'ignore' });
    // Some fit into the block that the broker has begun.
    let refused: ChangeEnvelope = testEnvelope();
    const refusal = await eventually(
      async () => {
        refused = testEnvelope();
        const error: unknown = await publish(refused).catch((failure: unknown) => failure);
        expect(error).toBeInstanceOf(Error);
        return error as Error;
      },
      { timeoutMs: 60_000 },
    );
    expect(refusal.message).toMatch(/could not be stored: .*(full disk|no space|insufficient)/);

    await rm(fill());
    await server.kill9();
    server = await start();
    await eventually(() => publish(refused), { timeoutMs: 60_000 });
    const read: StreamMessage[] = [];
    await bus.subscribe({ from: begin, onMessage: (message) => void read.push(message), onGap: () => undefined });
    await eventually(() => expect(read.length).toBeGreaterThanOrEqual(acknowledged.length), { timeoutMs: 30_000 });
    expect(idsOf(read)).toEqual(acknowledged.map(({ id }) => id));
  }, 180_000);
});
