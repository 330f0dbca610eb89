import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { closeHttpServer, listen } from '@sinebar/http';
import { createLogger, loadSettings, openTracing, serverSettings } from '@sinebar/runtime';
import { eventually } from '@sinebar/testing';
import { io } from 'socket.io-client';
import { startSecuredServer } from './secured-server.fixture.ts';

interface SentSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  status: { code?: number };
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
}
interface Export {
  resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[];
}

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CALLER = 'b7ad6b7169203331';

/** Receives spans by OTLP over HTTP. */
class Collector {
  readonly spans: SentSpan[] = [];
  readonly paths = new Set<string>();
  url = '';
  private readonly server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      this.paths.add(request.url ?? '');
      const { resourceSpans } = JSON.parse(Buffer.concat(chunks).toString()) as Export;
      this.spans.push(...resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
      response.setHeader('Content-Type', 'application/json').end('{}');
    });
  });

  async start(): Promise<void> {
    this.url = `http://127.0.0.1:${await listen(this.server, 0, '127.0.0.1')}`;
  }

  close(): Promise<void> {
    return closeHttpServer(this.server, 100);
  }
}

describe('spans', () => {
  let collector: Collector;
  beforeEach(async () => {
    collector = new Collector();
    await collector.start();
  });
  afterEach(() => collector.close());

  it('follow a change from the request to the delivery of its event', async () => {
    const server = await startSecuredServer({}, { SINEBAR_AUTHENTICATION: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.url}/` });
    const client = io(`http://127.0.0.1:${server.port}`, { transports: ['websocket'] });
    const arrived: unknown[][] = [];
    client.on('PartCreated', (...args: unknown[]) => arrived.push(args));
    try {
      await eventually(() => client.connected);
      const traced = { traceparent: `00-${TRACE}-${CALLER}-01` };
      const uuid = randomUUID();
      expect((await server.send('POST', '/dataServiceRest/parts', traced, [{ uuid, path: 'P:/Pump/' }])).status).toBe(201);
      expect((await server.send('GET', '/dataServiceRest/serviceInformation', traced)).status).toBe(200);
      // A caller with the flag "not sampled" is not recorded.
      const unrecorded = { traceparent: `00-${'1'.repeat(32)}-${CALLER}-00` };
      expect((await server.send('GET', '/dataServiceRest/parts', unrecorded)).status).toBe(200);
      expect((await server.send('GET', '/dataServiceRest/parts')).status).toBe(200);
      await eventually(() => arrived.length === 1);
    } finally {
      client.disconnect();
      await server.stop();
    }
    expect(Object.keys(arrived[0]?.[1] as object).sort()).toEqual(['id', 'sequence', 'time']);
    expect([...collector.paths]).toEqual(['/v1/traces']);

    const ofTrace = collector.spans.filter(({ traceId }) => traceId === TRACE);
    const parentName = ({ parentSpanId }: SentSpan) => ofTrace.find(({ spanId }) => spanId === parentSpanId)?.name ?? parentSpanId;
    const tree = Object.fromEntries(ofTrace.map((span) => [span.name, parentName(span)]));
    expect(tree).toEqual({
      'POST /dataServiceRest/parts': CALLER,
      'GET /dataServiceRest/serviceInformation': CALLER,
      'database read': 'GET /dataServiceRest/serviceInformation',
      'database write': 'POST /dataServiceRest/parts',
      'relay PartCreated': 'database write',
      'publish PartCreated': 'relay PartCreated',
      'deliver PartCreated': 'database write',
    });
    const request = ofTrace.find(({ name }) => name.startsWith('POST'));
    expect(request?.attributes).toContainEqual({ key: 'http.response.status_code', value: { intValue: 201 } });
    expect(request?.attributes).toContainEqual({ key: 'http.route', value: { stringValue: '/dataServiceRest/parts' } });
    expect(collector.spans.filter(({ traceId }) => traceId === '1'.repeat(32))).toEqual([]);
    const own = collector.spans.find(({ name, traceId }) => name === 'GET /dataServiceRest/parts' && traceId !== TRACE);
    expect(own).toMatchObject({ traceId: expect.stringMatching(/^[0-9a-f]{32}$/) });
    expect(own?.parentSpanId ?? '').toBe('');
  });

  it('need an address, without which the library is not loaded', async () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    const { tracer } = await openTracing(loadSettings(serverSettings, {}).values, 'test', log);
    expect(tracer).toBeUndefined();
    expect(() => loadSettings(serverSettings, { OTEL_EXPORTER_OTLP_ENDPOINT: 'collector:4317' })).toThrow(/OTEL_EXPORTER_OTLP_ENDPOINT/);
  });

  it('do not delay the end of a process when no collector answers', async () => {
    const log = createLogger({ service: 'test', level: 'silent' });
    await collector.close();
    const settings = loadSettings(serverSettings, { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url }).values;
    const { tracer, close } = await openTracing(settings, 'test', log);
    await expect(tracer?.within('work', { kind: 'client' }, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await Promise.race([
      close().catch(() => undefined),
      new Promise((_, reject) => setTimeout(reject, 20_000, new Error('hangs')).unref()),
    ]);
  });
});
