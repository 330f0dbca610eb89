import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { HttpTransportType, HubConnectionBuilder, LogLevel, type HubConnection } from '@microsoft/signalr';
import type { StartedProduct } from '../support/product/product.ts';
import { send, sendJson, until } from '../support/requests/rest-client.ts';
import type { Variant } from '../support/product/variant.ts';
import { presentKinds } from '../support/product/variants.ts';

const ROOT = '00000000-0000-0000-0000-000000000000';
const TRANSPORTS = ['WebSockets', 'ServerSentEvents', 'LongPolling'] as const;
const NAMES = ['PartCreated', 'MeasurementCreated', 'RawDataCreated'];

const kinds = await presentKinds('events over SignalR');

describe.each(kinds)('events over SignalR from $name', (kind) => {
  let variant: Variant;
  let product: StartedProduct;
  beforeAll(async () => {
    variant = await kind.create();
    product = await variant.start();
  }, 180_000);
  afterAll(async () => {
    await product.stop();
    await variant.remove();
  }, 120_000);

  it('are offered without a sign-in, with the sign-in methods of the server [S2]', async () => {
    const { status, bytes } = await send(product.url, { path: '/.well-known/ServerConfiguration' });
    expect(status).toBe(200);
    expect(JSON.parse(bytes.toString())).toEqual({ authentication_types_supported: ['None'] });
  });

  it.each(TRANSPORTS)(
    'reach clients with the documented names and properties over %s [D7.1, S12-S14, S27, S29]',
    async (transport) => {
      const received: { name: string; data: Record<string, unknown> }[] = [];
      const connection: HubConnection = new HubConnectionBuilder()
        .withUrl(`${product.url}/events`, { transport: HttpTransportType[transport] })
        .configureLogging(LogLevel.None)
        .withAutomaticReconnect()
        .build();
      for (const name of NAMES) connection.on(name, (data: Record<string, unknown>) => received.push({ name, data }));
      await connection.start();
      try {
        const [part, measurement] = [randomUUID(), randomUUID()];
        expect((await sendJson(product.url, 'POST', '/dataServiceRest/parts', [{ uuid: part, path: `P:/${part}/` }])).status).toBe(201);
        const measured = await sendJson(product.url, 'POST', '/dataServiceRest/measurements', [{ uuid: measurement, partUuid: part }]);
        expect(measured.status).toBe(201);
        const headers = { 'Content-Type': 'text/plain', 'Content-Disposition': '"note.txt"' };
        const file = { method: 'POST', path: `/rawDataServiceRest/rawData/part/${part}`, headers, body: 'x' };
        await until('the file is taken', async () => (await send(product.url, file)).status === 201);

        const about = (name: string) => received.find((event) => event.name === name && Object.values(event.data).includes(part))?.data;
        await until('all three events', () => NAMES.every((name) => about(name) !== undefined));
        const meta = { id: expect.any(String), time: expect.any(String), sequence: expect.any(String) };
        expect(about('PartCreated')).toEqual({ partUuid: part, parentPartUuid: ROOT, ...meta });
        expect(about('MeasurementCreated')).toEqual({ characteristicUuid: part, partUuid: part, measurementUuid: measurement, ...meta });
        expect(about('RawDataCreated')).toEqual({ rawDataEntity: 'Part', targetUuid: part, key: 0, filename: 'note.txt', ...meta });
      } finally {
        await connection.stop();
      }
    },
    60_000,
  );
});
