import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EVENT_NAMES, EVENT_STREAM, streamOfPlant, type ChangeEnvelope, type EventName } from '@sinebar/contracts';
import {
  BusUnavailableError,
  claimNatsStream,
  connectNatsBus,
  inspectNatsStream,
  outboxStream,
  PublishError,
  removeNatsStream,
  type Bus,
  type StreamMessage,
} from '@sinebar/message-bus';
import { testEnvelope } from '@sinebar/testing/bus-contract';
import { describeUnless, eventually } from '@sinebar/testing';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { delimiter, join } from 'node:path';
import {
  greetsWithJetStream,
  chooseFreePort,
  findInstalled,
  NATS_SERVER,
  defaultRunsFolder,
  openRunFolder,
  type RunFolder,
  onFreePort,
  startServer,
  type RunningServer,
} from '@sinebar/local-servers';
import { SERVICE_SUBJECTS } from '@sinebar/runtime';
import { ROOT } from './kubernetes-objects.fixture.ts';

/** Passwords contain every character with a meaning in addresses, YAML, shells or compose. */
const PASSWORDS = {
  NATS_PASSWORD: `administrator "\\' $HOME #{}`,
  NATS_INSPECTION_PASSWORD: '123456',
  NATS_RAW_DATA_PASSWORD: 'p@:/?[]%41&=ü',
  NATS_EVENTS_PASSWORD: String.raw`\x41"; }`,
};
const PLANTS = ['north', 'south-2'];
const OF_RAW_DATA = EVENT_NAMES.filter((name) => name.startsWith('RawData'));
const OF_INSPECTION = EVENT_NAMES.filter((name) => !OF_RAW_DATA.includes(name));

/** Runs the command that prints the permissions of plants. */
function permissions(plants: string) {
  const script = join(ROOT, 'infra/docker/start-nats.sh');
  const args = [script, 'permissions', join(ROOT, 'infra/docker/nats.conf')];
  return spawnSync('sh', args, { encoding: 'utf8', env: { PATH: process.env['PATH'], SINEBAR_PLANTS: plants } });
}

describe('infra/docker/start-nats.sh permissions', () => {
  it('leaves nats.conf as it is without plants', () => {
    expect(permissions('').stdout).toBe(readFileSync(join(ROOT, 'infra/docker/nats.conf'), 'utf8'));
  });

  it.each(['a_b', 'north,-x', 'no>', 'A'])('refuses the plants %s', (plants) => {
    expect(permissions(plants)).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('SINEBAR_PLANTS names the plant') });
  });
});

const program =
  process.env['NATS_SERVER_BIN'] ?? (await findInstalled(NATS_SERVER, { environment: process.env, onProgress: () => undefined }));

describeUnless(program === undefined ? 'no nats-server that is 2.10 or newer' : undefined, 'the users of infra/docker/nats.conf', () => {
  let folder: RunFolder;
  let server: RunningServer;
  let url: string;
  let configuration: string;
  let inspection: Bus;
  let rawData: Bus;
  let events: Bus;
  const open: Bus[] = [];

  /** Starts NATS with the files of the container at other paths. */
  async function startNats(): Promise<void> {
    folder = await openRunFolder(defaultRunsFolder());
    const programs = join(folder.path, 'bin');
    mkdirSync(programs);
    symlinkSync(program as string, join(programs, 'nats-server'));
    const script = join(folder.path, 'start-nats.sh');
    writeFileSync(script, readFileSync(join(ROOT, 'infra/docker/start-nats.sh')));
    chmodSync(script, 0o755);
    configuration = join(folder.path, 'nats.conf');
    ({ server, url } = await onFreePort(chooseFreePort, async (port) => {
      const text = permissions(PLANTS.join(','))
        .stdout.replace('port: 4222', `listen: "127.0.0.1:${port}"`)
        .replace(/^http: .*$/m, '')
        .replace('store_dir: /data', `store_dir: ${JSON.stringify(join(folder.path, 'data'))}`);
      writeFileSync(configuration, text);
      const command = {
        name: 'nats-server',
        program: script,
        args: ['--config', configuration],
        env: { ...PASSWORDS, PATH: [programs, process.env['PATH']].join(delimiter) },
        isReady: () => greetsWithJetStream(port),
      };
      return { server: await startServer(folder, command), url: `nats://127.0.0.1:${port}` };
    }));
  }

  async function connect(
    user: string,
    password: string,
    {
      ownsStream = false,
      plant = '',
      log,
    }: { ownsStream?: boolean; plant?: string; log?: Parameters<typeof connectNatsBus>[0]['log'] } = {},
  ): Promise<Bus> {
    const bus = await connectNatsBus({
      ...streamOfPlant(plant),
      servers: url,
      credentials: { user, password },
      name: user,
      ownsStream,
      ...(log && { log }),
      stream: { maxBytes: 16 * 1024 ** 2 },
    });
    open.push(bus);
    return bus;
  }

  const envelope = (type: EventName): ChangeEnvelope => ({ ...testEnvelope(), type });
  const lastSequence = async () => (await inspection.streamState()).lastSequence;
  const rejectionOf = (work: Promise<unknown>): Promise<unknown> =>
    work.then(
      () => undefined,
      (error: unknown) => error,
    );

  const passwordOf = (user: string) => PASSWORDS[`NATS_${user.replace('sinebar_', '').toUpperCase()}_PASSWORD` as keyof typeof PASSWORDS];

  /** Sends one NATS protocol command that the product never sends. @returns the server's answer */
  async function talk(user: string, command: string): Promise<string> {
    const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
    socket.setTimeout(10_000, () => socket.destroy(new Error('NATS is silent')));
    let heard = '';
    try {
      socket.write(`CONNECT ${JSON.stringify({ user, pass: passwordOf(user), verbose: false })}\r\n${command}\r\nPING\r\n`);
      for await (const chunk of socket) {
        heard += String(chunk);
        if (heard.includes('PONG')) break;
      }
      return heard;
    } finally {
      socket.destroy();
    }
  }

  beforeAll(async () => {
    await startNats();
    inspection = await connect('sinebar_inspection', PASSWORDS.NATS_INSPECTION_PASSWORD, { ownsStream: true });
    rawData = await connect('sinebar_raw_data', PASSWORDS.NATS_RAW_DATA_PASSWORD);
    events = await connect('sinebar_events', PASSWORDS.NATS_EVENTS_PASSWORD);
  });

  afterAll(async () => {
    for (const bus of open) await bus.close();
    await server?.stop();
    folder?.remove();
  });

  it('accepts all services with any characters in their passwords', () => {
    expect([inspection, rawData, events].map((bus) => bus.status().connected)).toEqual([true, true, true]);
  });

  it.each([
    ['another password', 'sinebar_events', 'word'],
    ['the password of another', 'sinebar_inspection', PASSWORDS.NATS_EVENTS_PASSWORD],
  ])('refuses %s', async (_, user, password) => {
    const bus = await connect(user, password);
    expect(bus.status().description).toContain('refused the credentials');
  });

  it.each(OF_INSPECTION)('allows inspection to publish %s', async (type) => {
    await expect(inspection.publish([envelope(type)])).resolves.toBeUndefined();
  });

  it('allows inspection to publish many messages at once', async () => {
    await expect(inspection.publish(Array.from({ length: 100 }, () => envelope('PartCreated')))).resolves.toBeUndefined();
  });

  it.each(OF_RAW_DATA)('allows raw-data to publish %s', async (type) => {
    await expect(rawData.publish([envelope(type)])).resolves.toBeUndefined();
  });

  it.each([
    ['raw-data', () => rawData],
    ['events', () => events],
  ])('allows %s to follow the stream', async (name, reader) => {
    const received: string[] = [];
    const { epoch, lastSequence: sequence } = await reader().streamState();
    const subscription = await reader().subscribe({
      from: { epoch, sequence },
      onMessage: (message: StreamMessage) => void received.push(message.envelope.id),
      onGap: () => undefined,
    });
    const sent = [envelope('PartCreated'), envelope('MeasurementDeleted')];
    await inspection.publish(sent);
    await eventually(() => expect(received).toEqual(sent.map(({ id }) => id)), { describe: `${name} reads` });
    await subscription.stop();
  });

  it('writes one sentence while the stream is missing that a service may not create, and one when it is there', async () => {
    const lines: string[] = [];
    const add = (level: string) => (_: object, sentence: string) => void lines.push(`${level} ${sentence}`);
    const log = { debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
    await connect('sinebar_events', PASSWORDS.NATS_EVENTS_PASSWORD, { plant: 'north', log });
    const attempts = () => lines.filter((line) => line.startsWith('debug the event stream is still not available')).length;
    await eventually(() => attempts() > 3, { describe: 'attempts' });
    const told = () => lines.filter((line) => !line.startsWith('debug'));
    const waits =
      'error The event stream SINEBAR_EVENTS_north cannot be used and is tried again each second. ' +
      'The inspection service creates it: check that it runs, and its log.';
    expect(told()).toEqual(['info connected to the message broker', waits]);
    await connect('sinebar_inspection', PASSWORDS.NATS_INSPECTION_PASSWORD, { ownsStream: true, plant: 'north' });
    await eventually(() => told().length > 2, { describe: 'the stream' });
    expect(told().slice(2)).toEqual(['info the event stream SINEBAR_EVENTS_north is available']);
  });

  it('allows inspection to send requests to raw-data', async () => {
    const responder = await rawData.respond(SERVICE_SUBJECTS.findDrawing, (body) => Promise.resolve({ body }));
    const options = { signal: new AbortController().signal, timeoutMs: 5_000 };
    expect(await inspection.request(SERVICE_SUBJECTS.findDrawing, 'question', options)).toEqual({ body: 'question' });
    await responder.stop();
  });

  it('allows raw-data to send requests to inspection', async () => {
    const responder = await inspection.respond(SERVICE_SUBJECTS.listParts, (body) => Promise.resolve({ body }));
    const options = { signal: new AbortController().signal, timeoutMs: 5_000 };
    expect(await rawData.request(SERVICE_SUBJECTS.listParts, 'question', options)).toEqual({ body: 'question' });
    await responder.stop();
  });

  it.each([
    ['inspection', () => inspection],
    ['raw-data', () => rawData],
  ])('allows the replicas of %s to wake each other', async (service, bus) => {
    let woken = 0;
    const stream = outboxStream(bus(), service);
    const listening = await stream.onWake(() => void (woken += 1));
    stream.wake();
    await eventually(() => woken === 1);
    await listening.stop();
  });

  it.each([
    ['raw-data', 'PartCreated', () => rawData],
    ['raw-data', 'MeasurementDeleted', () => rawData],
    ['inspection', 'RawDataCreated', () => inspection],
    ['events', 'PartCreated', () => events],
    ['events', 'RawDataCreated', () => events],
  ] as const)('forbids %s to publish %s', async (_, type, bus) => {
    const before = await lastSequence();
    expect(await rejectionOf(bus().publish([envelope(type)]))).toBeInstanceOf(PublishError);
    expect(await lastSequence()).toBe(before);
  });

  describe('with a configuration of an earlier release, which lacks a permission', () => {
    const part = () => envelope('PartCreated');
    const changes = () => [part(), envelope('ConfigurationModified')];
    let current: string;
    const reload = (text: string) => {
      writeFileSync(configuration, text);
      process.kill(server.pid, 'SIGHUP');
    };
    beforeAll(() => {
      current = readFileSync(configuration, 'utf8');
      reload(current.replace(/^ *"sinebar\.events\.configuration.*$/m, ''));
    });
    afterAll(() => reload(current));

    it('names the subject, and stores what came before', async () => {
      await eventually(async () => expect(await rejectionOf(inspection.publish([envelope('ConfigurationModified')]))).toBeDefined());
      const before = await lastSequence();
      const error = await rejectionOf(inspection.publish(changes()));
      expect(error).toMatchObject({ storedCount: 1 });
      expect((error as Error).message).toMatch(/permission.*sinebar\.events\.configuration\./i);
      expect(await lastSequence()).toBe(before + 1);
    });

    it('stores other events meanwhile', async () => {
      const before = await lastSequence();
      await inspection.publish([part(), part()]);
      expect(await lastSequence()).toBe(before + 2);
    });

    it('continues over the same connection when NATS has the permission', async () => {
      reload(current);
      const [change] = changes().slice(1);
      await eventually(async () => expect(await rejectionOf(inspection.publish([change as ChangeEnvelope]))).toBeUndefined());
    });
  });

  it.each(['sinebar_inspection', 'sinebar_raw_data', 'sinebar_events'])('forbids %s to delete the stream', async (user) => {
    const { epoch } = await inspection.streamState();
    const credentials = { user, password: passwordOf(user) };
    expect(await rejectionOf(removeNatsStream({ servers: url, credentials }))).toBeInstanceOf(Error);
    expect((await inspection.streamState()).epoch).toBe(epoch);
  });

  it.each([
    ...['PURGE', 'DELETE', 'UPDATE', 'CREATE', 'MSG.DELETE'].flatMap((request) => [
      ['sinebar_raw_data', `PUB $JS.API.STREAM.${request}.${EVENT_STREAM} 2\r\n{}`],
      ['sinebar_events', `PUB $JS.API.STREAM.${request}.${EVENT_STREAM} 2\r\n{}`],
    ]),
    ['sinebar_inspection', `PUB $JS.API.STREAM.PURGE.${EVENT_STREAM} 2\r\n{}`],
    // Only the responder may answer.
    ['sinebar_events', 'PUB _INBOX.another.1 2\r\n{}'],
    ['sinebar_raw_data', `SUB ${SERVICE_SUBJECTS.listParts} responders 1`],
    ['sinebar_events', 'SUB sinebar.> 1'],
  ])('refuses %s the command %j', async (user, command) => {
    expect(await talk(user, command)).toMatch(/-ERR 'Permissions Violation/);
  });

  it('forbids events to send requests to inspection', async () => {
    const responder = await inspection.respond(SERVICE_SUBJECTS.resolveTargets, () => Promise.resolve('answer'));
    const options = { signal: new AbortController().signal, timeoutMs: 2_000 };
    expect(await rejectionOf(events.request(SERVICE_SUBJECTS.resolveTargets, null, options))).toBeInstanceOf(BusUnavailableError);
    await responder.stop();
  });

  it.each(PLANTS)('allow the services of the plant %s to use its stream', async (plant) => {
    const owner = await connect('sinebar_inspection', PASSWORDS.NATS_INSPECTION_PASSWORD, { ownsStream: true, plant });
    const files = await connect('sinebar_raw_data', PASSWORDS.NATS_RAW_DATA_PASSWORD, { plant });
    const gateway = await connect('sinebar_events', PASSWORDS.NATS_EVENTS_PASSWORD, { plant });
    const received: string[] = [];
    const { epoch, lastSequence: sequence } = await gateway.streamState();
    const subscription = await gateway.subscribe({
      from: { epoch, sequence },
      onMessage: (message: StreamMessage) => void received.push(message.envelope.type),
      onGap: () => undefined,
    });
    const responder = await owner.respond(SERVICE_SUBJECTS.listParts, (body) => Promise.resolve({ body }));
    const before = await lastSequence();
    await owner.publish([envelope('PartCreated')]);
    await files.publish(OF_RAW_DATA.slice(0, 1).map(envelope));
    await eventually(() => expect(received).toEqual(['PartCreated', OF_RAW_DATA[0]]));
    const options = { signal: new AbortController().signal, timeoutMs: 5_000 };
    expect(await files.request(SERVICE_SUBJECTS.listParts, 'question', options)).toEqual({ body: 'question' });
    expect(await lastSequence()).toBe(before);
    await responder.stop();
    await subscription.stop();
    const place = { servers: url, name: streamOfPlant(plant).streamName };
    const credentials = { user: 'sinebar_inspection', password: PASSWORDS.NATS_INSPECTION_PASSWORD };
    expect(await claimNatsStream({ ...place, credentials }, 'an installation')).toBe('an installation');
    expect(await claimNatsStream({ ...place, credentials }, 'another')).toBe('an installation');
  });

  it('forbid the stream of a plant that is not named', async () => {
    expect(await talk('sinebar_inspection', `PUB $JS.API.STREAM.CREATE.${streamOfPlant('west').streamName} 2\r\n{}`)).toMatch(
      /-ERR 'Permissions Violation/,
    );
    expect(await talk('sinebar_inspection', 'PUB sinebar.plant.west.sinebar.events.part.x 2\r\n{}')).toMatch(/-ERR 'Permissions Violation/);
  });

  it('allows the administrator to read the stream, as the maintenance commands do', async () => {
    const report = await inspectNatsStream({ servers: url, credentials: { user: 'sinebar', password: PASSWORDS.NATS_PASSWORD } });
    expect(report?.messages).toBe(await lastSequence());
  });
});
