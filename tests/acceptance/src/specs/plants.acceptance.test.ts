import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomBytes, randomUUID } from 'node:crypto';
import { HttpTransportType, HubConnectionBuilder, LogLevel } from '@microsoft/signalr';
import { SinebarClient } from '@sinebar/client';
import { io } from 'socket.io-client';
import { PROGRAMS, start, type StartedProduct } from '../support/product/product.ts';
import { until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { presentKinds } from '../support/product/variants.ts';

const id = randomBytes(4).toString('hex');
const NORTH = `north-${id}`;
const SOUTH = `south-${id}`;
const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;

const kinds = await presentKinds('two plants behind one address', ({ name }) => name === 'distributed');

describe.each(kinds)('two plants behind one address, $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  let origin = '';
  const urlOf = (plant: string) => `${origin}/${plant}`;
  const ask = async (url: string, init?: RequestInit) => {
    const answer = await fetch(url, { ...init, signal: AbortSignal.timeout(30_000) });
    return { status: answer.status, location: answer.headers.get('location') ?? '', text: await answer.text() };
  };
  const createPart = async (plant: string, uuid: string) => {
    const headers = { 'Content-Type': 'application/json' };
    const body = JSON.stringify([{ uuid, path: `P:/${uuid}/` }]);
    return (await ask(`${urlOf(plant)}/dataServiceRest/parts`, { method: 'POST', headers, body })).status;
  };
  const textOf = async (plant: string, path: string) => {
    const { status, text } = await ask(`${urlOf(plant)}${path}`);
    expect(status).toBe(200);
    return text;
  };

  beforeAll(async () => {
    variant = await kind.create();
    const env = { ...variant.environment, SINEBAR_REPLICAS: '1', SINEBAR_EVENTS_MAX_BYTES: String(2 ** 22) };
    product = await start(PROGRAMS.distributed, { env, args: ['--plants', `${NORTH},${SOUTH}`] });
    ({ origin } = new URL(product.url));
  }, 180_000);
  afterAll(async () => {
    await product?.stop();
    await variant?.remove();
  }, 120_000);

  it('prints the address of each plant', async () => {
    // The product counts as started when the first address is printed.
    await until('the other address', () => product.output().includes(`Sinebar is ready at ${urlOf(SOUTH)}/`));
  });

  it('takes the same part in both, and shows a part of one in no other', async () => {
    const [both, one] = [randomUUID(), randomUUID()];
    expect(await createPart(NORTH, both)).toBe(201);
    expect(await createPart(SOUTH, both)).toBe(201);
    expect(await createPart(NORTH, one)).toBe(201);
    expect((await ask(`${urlOf(NORTH)}/dataServiceRest/parts/${one}`)).status).toBe(200);
    expect((await ask(`${urlOf(SOUTH)}/dataServiceRest/parts/${one}`)).status).toBe(404);
  });

  it('stores files below the prefix', async () => {
    const part = randomUUID();
    expect(await createPart(NORTH, part)).toBe(201);
    const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"note.txt"' };
    const address = `${urlOf(NORTH)}/rawDataServiceRest/rawData/part/${part}`;
    await until('the file is taken', async () => (await ask(address, { method: 'POST', headers, body: 'of the north' })).status === 201);
    expect(await textOf(NORTH, `/rawDataServiceRest/rawData/part/${part}/0`)).toBe('of the north');
    expect((await ask(`${urlOf(SOUTH)}/rawDataServiceRest/rawData/part/${part}/0`)).status).toBe(404);
  });

  it('gives pending operations an address with the prefix, which answers', async () => {
    const part = randomUUID();
    expect(await createPart(SOUTH, part)).toBe(201);
    const path = `/dataServiceRest/measurements?partUuids={${part}}&runAsync=true`;
    const { status, location } = await ask(`${urlOf(SOUTH)}${path}`, { method: 'DELETE' });
    expect(status).toBe(202);
    expect(location.startsWith(`${urlOf(SOUTH)}/dataServiceRest/`)).toBe(true);
    expect((await ask(location)).status).toBe(200);
  });

  it('names the prefix in the OpenAPI documents and on the page', async () => {
    const { servers } = JSON.parse(await textOf(NORTH, '/dataServiceRest/openapi.json')) as { servers: { url: string }[] };
    expect(servers.map(({ url }) => url)).toEqual([`/${NORTH}`]);
    const page = await textOf(NORTH, '/docs');
    const script = /src="([^"]*page\.js)"/.exec(page)?.[1] ?? '';
    expect(script).toBe(`/${NORTH}/docs/page.js`);
    expect((await ask(`${origin}${script}`)).text).toContain(`'/${NORTH}/rawDataServiceRest/openapi.json'`);
  });

  it('sends the events of the plant over Socket.IO', async () => {
    const received: string[] = [];
    const socket = io(origin, { path: `/${NORTH}/socket.io` });
    socket.onAny((...event: unknown[]) => received.push(JSON.stringify(event)));
    const about = (part: string) => received.filter((event) => event.includes(part)).length;
    try {
      await until('the socket is open', () => Promise.resolve(socket.connected));
      const [own, other] = [randomUUID(), randomUUID()];
      expect(await createPart(SOUTH, other)).toBe(201);
      expect(await createPart(NORTH, own)).toBe(201);
      await until('the event', () => Promise.resolve(about(own) > 0));
      expect(about(other)).toBe(0);
    } finally {
      socket.disconnect();
    }
  });

  it.each(TRANSPORTS)('sends the events of the plant over SignalR with %s', async (transport) => {
    const received: string[] = [];
    const connection = new HubConnectionBuilder()
      .withUrl(`${urlOf(SOUTH)}/events`, { transport: HttpTransportType[transport] })
      .configureLogging(LogLevel.None)
      .build();
    connection.on('PartCreated', ({ partUuid }: { partUuid: string }) => received.push(partUuid));
    await connection.start();
    try {
      const part = randomUUID();
      expect(await createPart(SOUTH, part)).toBe(201);
      await until('the event', () => Promise.resolve(received.includes(part)));
    } finally {
      await connection.stop();
    }
  });

  it('serves the client package with the prefix in its address', async () => {
    const client = new SinebarClient({ url: `${urlOf(NORTH)}/` });
    const part = randomUUID();
    await client.parts.create([{ uuid: part, path: `P:/${part}/` }]);
    expect((await client.parts.get(part)).uuid).toBe(part);
  });

  it('is healthy below the prefix', async () => {
    expect((await ask(`${urlOf(NORTH)}/healthServiceRest/ready`)).status).toBe(200);
  });

  it('answers 404 without the name of a plant, and names the plants', async () => {
    const { status, text } = await ask(`${origin}/dataServiceRest/parts`);
    expect(status).toBe(404);
    expect(text).toContain(`addresses begin with /${NORTH}, /${SOUTH}`);
  });

  it('answers 404 where a proxy did not take the prefix away, and says so', async () => {
    const line = new RegExp(`^inspection of ${NORTH} pid \\d+ at (\\S+)$`, 'm').exec(product.output());
    const { status, text } = await ask(`${line?.[1] ?? ''}/${NORTH}/dataServiceRest/parts`);
    expect(status).toBe(404);
    expect(text).toContain(`the proxy in front of the server must take away /${NORTH}`);
  });
});
