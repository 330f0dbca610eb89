import { describe, expect, it, beforeAll, afterAll } from '@jest/globals';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { replicaName } from '@sinebar/events';
import { ROUTING, SERVICES, type RoutingRule, type ServiceName } from '@sinebar/distributed';
import { eventually, noteSkip } from '@sinebar/testing';
import { closedPort, expectErrorBody, handshake, type Seen, seenIn, send, talk, Upstream } from './proxy-talk.fixture.ts';

export interface RunningProxy {
  origin: string;
  stop(): Promise<void>;
}
export type Upstreams = Record<ServiceName, readonly string[]>;
export type StartProxy = (upstreams: Upstreams) => Promise<RunningProxy>;

/** Addresses that a rule matches. */
function addressesOf({ prefix, exact }: RoutingRule): string[] {
  if (prefix === '') return ['/'];
  return [prefix, prefix.toUpperCase(), `${prefix}/`, ...(exact ? [] : [`${prefix}/below?deep=True`])];
}

/**
 * Tests that every proxy in front of the services must pass.
 * @param keepsSessions false for an nginx without `sticky`
 */
export function describeProxy(name: string, start: StartProxy, { keepsSessions = true } = {}): void {
  describe(name, () => {
    const upstreams: Upstream[] = [];
    let proxy: RunningProxy;
    const named = async (upstream: Upstream) => {
      upstreams.push(upstream);
      return upstream.start();
    };

    beforeAll(async () => {
      const services = await Promise.all(SERVICES.map(async (service) => [service, [await named(new Upstream(service))]] as const));
      proxy = await start(Object.fromEntries(services) as unknown as Upstreams);
    });
    afterAll(async () => {
      await proxy?.stop();
      await Promise.all(upstreams.map((upstream) => upstream.stop()));
    });
    const upstreamOf = (service: ServiceName) => upstreams.find((upstream) => upstream.name === service) as Upstream;

    it.each(ROUTING.flatMap((rule) => addressesOf(rule).map((path) => [path, rule] as const)))(
      'sends %s to its service',
      async (path, rule) => {
        const seen = seenIn(await send(proxy.origin, path));
        expect(seen).toMatchObject({ replica: rule.service, target: rule.rewrite ?? path });
      },
    );

    it.each([
      '/dataServiceRest/parts?partPath=%2Fa%5C%2Fb%2F&filter={1,2}|[x]',
      '/dataServiceRest/parts?searchCondition=4>[2020-01-01T00:00:00Z]+6In[a%2Cb]&order=4%20desc',
      '/rawDataServiceRest/rawData/Part/%7B05040c4c-f0af-46b8-810e-30c0c00a379e%7D/0/archiveContent/a%2Fb%20c/d//e%3F',
      '/rawDataServiceRest/rawData/Part/{05040c4c-f0af-46b8-810e-30c0c00a379e}/0/a%5Cb*c',
      '/rawDataServiceRest/rawData/part/x/../y/./z',
      '/dataServiceRest/catalogs/%C3%A4%E2%82%AC/',
      '//dataServiceRest//parts?partPath=//a',
      '///rawDataServiceRest/rawData//part//0',
      '//events//?EIO=4&transport=polling',
    ])('passes %s on as it is', async (path) => {
      expect(seenIn(await send(proxy.origin, path)).target).toBe(path);
    });

    it('keeps the query of an address it rewrites', async () => {
      expect(seenIn(await send(proxy.origin, '/healthServiceRest/ready?x=1')).target).toBe('/healthServiceRest/all/ready?x=1');
    });

    it('finds the whole health behind several slashes', async () => {
      expect(seenIn(await send(proxy.origin, '//healthServiceRest//ready')).target).toBe('/healthServiceRest/all/ready');
    });

    it.each(['/other', '//other', '/dataServiceRestX', '/eventsX', '/metrics', '/.error', '/healthServiceRestX/ready'])(
      'has nothing at %s',
      async (path) => {
        expectErrorBody(await send(proxy.origin, path), 404, 'NotFound');
      },
    );

    it('says under which name and for whom a request came, and keeps its credentials', async () => {
      const { headers } = seenIn(
        await send(proxy.origin, '/dataServiceRest', {
          headers: { Host: 'plant.example:99', Authorization: 'Basic eDp5', 'X-Request-Id': 'run-7', 'X-Forwarded-For': '10.1.1.1' },
        }),
      );
      expect(headers).toMatchObject({
        host: 'plant.example:99',
        authorization: 'Basic eDp5',
        'x-request-id': 'run-7',
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-host': 'plant.example:99',
        'x-forwarded-proto': 'http',
      });
    });

    it('believes no client about who it is, and makes a new id instead of a harmful one', async () => {
      const { headers } = seenIn(
        await send(proxy.origin, '/dataServiceRest', {
          headers: {
            Host: 'plant.example',
            'X-Forwarded-For': '10.1.1.1',
            'X-Forwarded-Proto': 'https',
            'X-Forwarded-Host': 'public.example',
            Forwarded: 'for=10.1.1.1;host=public.example;proto=https',
            'X-Request-Id': '"<x>',
          },
        }),
      );
      expect(headers).toMatchObject({
        'x-forwarded-for': '127.0.0.1',
        'x-forwarded-proto': 'http',
        'x-forwarded-host': 'plant.example',
      });
      expect(headers).not.toHaveProperty('forwarded');
      expect(headers['x-request-id']).toMatch(/^[\w-]{32,36}$/);
    });

    it('passes on a request with an expectation that it does not know', async () => {
      expect((await send(proxy.origin, '/dataServiceRest', { headers: { Expect: 'miracle' } })).status).toBe(200);
    });

    it('takes an address and headers that are together just below 64 KiB, not more', async () => {
      const long = `/dataServiceRest/parts?partUuids={${'a'.repeat(30_000)}}`;
      const { headers, target } = seenIn(await send(proxy.origin, long, { headers: { 'X-Long': 'b'.repeat(30_000) } }));
      expect(target).toHaveLength(long.length);
      expect(headers['x-long']).toHaveLength(30_000);
      const tooLong = await send(proxy.origin, `/dataServiceRest/parts?x=${'a'.repeat(70_000)}`);
      expect([414, 431]).toContain(tooLong.status);
      expectErrorBody(tooLong, tooLong.status, tooLong.status === 414 ? 'UriTooLong' : 'HeadersTooLarge');
      expectErrorBody(await send(proxy.origin, '/dataServiceRest', { headers: { 'X-Long': 'b'.repeat(70_000) } }), 431, 'HeadersTooLarge');
    });

    it('passes bodies without a size limit, with or without a length', async () => {
      const body = Buffer.alloc(20 * 2 ** 20, 'x');
      for (const chunked of [false, true]) {
        const seen = seenIn(await send(proxy.origin, '/rawDataServiceRest/test/count', { method: 'PUT', body, chunked }));
        expect(seen).toMatchObject({ method: 'PUT', body: String(body.length) });
        expect(seen.headers[chunked ? 'transfer-encoding' : 'content-length']).toBe(chunked ? 'chunked' : String(body.length));
      }
    });

    it('passes a DELETE with a chunked body, and one without', async () => {
      const seen = seenIn(await send(proxy.origin, '/dataServiceRest/measurements', { method: 'DELETE', body: '["a"]', chunked: true }));
      expect(seen).toMatchObject({ method: 'DELETE', body: '["a"]' });
      expect(seenIn(await send(proxy.origin, '/dataServiceRest/measurements?partUuids={}', { method: 'DELETE' }))).toMatchObject({
        method: 'DELETE',
        body: '',
      });
    });

    it.each([
      ['POST', '/events/negotiate?negotiateVersion=1'],
      ['POST', '/events?id=x&access_token=y'],
      ['DELETE', '/events?id=x'],
    ])('passes the %s of an event client on: %s', async (method, target) => {
      const headers = { 'X-Requested-With': 'XMLHttpRequest' };
      expect(seenIn(await send(proxy.origin, target, { method, headers }))).toMatchObject({ replica: 'events', method, target });
    });

    it('answers HEAD with the headers and keeps a strong ETag', async () => {
      const answer = await send(proxy.origin, '/rawDataServiceRest/x', { method: 'HEAD', headers: { 'Accept-Encoding': 'gzip' } });
      expect(answer).toMatchObject({ status: 200, body: '' });
      expect(answer.headers).toMatchObject({ etag: '"strong"' });
      expect(Number(answer.headers['content-length'])).toBeGreaterThan(0);
    });

    it('streams a body up: the service reads the begin before the end is sent', async () => {
      const { port, hostname } = new URL(proxy.origin);
      const sent = httpRequest({ hostname, port, path: '/rawDataServiceRest/test/slow-up', method: 'POST', agent: false });
      const answered = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
      sent.write('begin');
      const arrival = () => upstreamOf('raw-data').arrivals.find(({ target }) => target.endsWith('/slow-up'));
      await eventually(() => arrival()?.chunks.join('') === 'begin', 'the begin at the service');
      sent.end(' end');
      const seen = JSON.parse(await text(await answered)) as Seen;
      expect(seen.body).toBe('begin end');
    });

    it.each([
      ['/dataServiceRest/test/drip', 'inspection'],
      // Server-sent events.
      ['/events?id=/test/drip', 'events'],
    ] as const)('streams an answer down, and aborts the request to the service when the client disconnects: %s', async (path, service) => {
      const { port, hostname } = new URL(proxy.origin);
      const sent = httpRequest({ hostname, port, path, agent: false });
      const answered = new Promise<IncomingMessage>((resolve, reject) => sent.on('response', resolve).on('error', reject));
      sent.end();
      const answer = await answered;
      answer.on('error', () => undefined);
      const first = await new Promise((resolve) => answer.once('data', (bytes: Buffer) => resolve(bytes.toString())));
      expect(first).toBe('first');
      const arrival = upstreamOf(service).arrivals.find(({ target }) => target === path);
      expect(arrival?.aborted).toBe(false);
      answer.destroy();
      await eventually(() => arrival?.aborted === true, 'the service notices that the client disconnected');
    });

    it('ends an answer whose service died in the middle', async () => {
      await expect(send(proxy.origin, '/dataServiceRest/test/die')).rejects.toThrow(/aborted|hang up|ECONNRESET/);
    });

    it('gives an answer that comes before the body was read', async () => {
      const answer = await send(proxy.origin, '/dataServiceRest/test/early', { method: 'PUT', body: Buffer.alloc(8 * 2 ** 20) });
      expect(answer).toMatchObject({ status: 413, body: '{"message":"too large"}' });
    });

    it('lets a client send its body to the end when the answer came before and the service reads no more', async () => {
      const { port, hostname } = new URL(proxy.origin);
      const agent = new Agent({ keepAlive: true });
      const size = 64 * 2 ** 20;
      const options = {
        hostname,
        port,
        path: '/rawDataServiceRest/test/refuse',
        method: 'PUT',
        agent,
        headers: { 'Content-Length': size },
      };
      const sent = httpRequest(options).on('error', () => undefined);
      const answered = new Promise<IncomingMessage>((resolve) => sent.once('response', resolve));
      let isOver = false;
      // The request ended, or the proxy aborted it after the answer.
      for (const event of ['finish', 'close']) sent.once(event, () => (isOver = true));
      sent.end(Buffer.alloc(size));
      const answer = await answered;
      expect(answer.statusCode).toBe(503);
      expect(await text(answer)).toBe('{"message":"not now"}');
      await eventually(() => isOver, 'the end of the body');
      agent.destroy();
    });

    it("leaves a service's own 503 alone", async () => {
      const answer = await send(proxy.origin, '/dataServiceRest/test/own-error');
      expect(answer).toMatchObject({ status: 503, body: '{"message":"own words"}', headers: { 'retry-after': '77' } });
      expect(answer.reason).toBe('Own reason');
    });

    it.each(['/events/?EIO=4&transport=websocket', '/socket.io/?EIO=4&transport=websocket', '/events'])(
      'opens a socket at %s, bytes in both directions',
      async (path) => {
        const { received, socket } = await talk(proxy.origin, handshake(path), '\r\n\r\n');
        expect(received()).toMatch(/^HTTP\/1\.1 101 /);
        expect(received().toLowerCase()).toContain(`x-target: ${path.toLowerCase()}\r\n`);
        socket.write('ping');
        await eventually(() => received().includes('echo ping'), 'the echo');
        socket.destroy();
      },
    );

    it('answers an offer of another protocol as an ordinary request', async () => {
      const { received, socket } = await talk(
        proxy.origin,
        'GET /dataServiceRest/parts HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
        '}',
      );
      expect(received()).toMatch(/^HTTP\/1\.1 200 /);
      expect(received()).toContain('"target":"/dataServiceRest/parts"');
      socket.destroy();
    });

    it('refuses what is not HTTP in the form of the services', async () => {
      const { received, socket } = await talk(proxy.origin, 'GET /dataServiceRest parts HTTP/1.1\r\nHost: x\r\n\r\n', '}');
      expect(received()).toMatch(/^HTTP\/1\.1 400 /);
      expect(received()).toContain('"ExceptionType":"InvalidRequest"');
      socket.destroy();
    });

    it.each(['Host: x', 'HOST: y\r\nConnection: Upgrade\r\nUpgrade: websocket'])(
      'refuses a second Host header: %s [D10.6]',
      async (second) => {
        const { received, socket } = await talk(proxy.origin, `GET /events HTTP/1.1\r\nHost: x\r\n${second}\r\n\r\n`, '}');
        expect(received()).toMatch(/^HTTP\/1\.1 400 /);
        socket.destroy();
      },
    );

    describe('with services that are down', () => {
      let broken: RunningProxy;
      let gateways: readonly (readonly [name: string, base: string])[];
      beforeAll(async () => {
        const [dead, alive, one, two] = [
          await closedPort(),
          await named(new Upstream('second')),
          await named(new Upstream('one')),
          await named(new Upstream('two')),
        ];
        gateways = [
          ['one', one],
          ['two', two],
        ];
        broken = await start({ inspection: [dead], 'raw-data': [dead, alive], events: [one, two] });
      });
      afterAll(() => broken?.stop());

      it('answers 503 with Retry-After, also while a body is being sent', async () => {
        for (const options of [{}, { method: 'POST', body: Buffer.alloc(4 * 2 ** 20), chunked: true }]) {
          const answer = await send(broken.origin, '/dataServiceRest/parts', options);
          expectErrorBody(answer, 503, 'Unavailable');
          expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        }
      });

      it('takes the next replica when one refuses, with the whole body', async () => {
        for (let i = 0; i < 4; i++) {
          const seen = seenIn(
            await send(broken.origin, '/rawDataServiceRest/test/count', {
              method: 'POST',
              body: Buffer.alloc(3 * 2 ** 20, 'y'),
              chunked: i % 2 === 0,
            }),
          );
          expect(seen).toMatchObject({ replica: 'second', body: String(3 * 2 ** 20) });
        }
      });

      it('gives new sessions to the replicas in turn, although all come from one address', async () => {
        const first = async () => seenIn(await send(broken.origin, '/socket.io/?EIO=4&transport=polling')).replica;
        expect(new Set([await first(), await first(), await first(), await first()])).toEqual(new Set(['one', 'two']));
      });

      if (!keepsSessions) noteSkip('no nginx 1.29.6 or newer; SINEBAR_TEST_NGINX names one', name);
      const itKeepsSessions = keepsSessions ? it : it.skip;
      itKeepsSessions('sends each request and socket of a session to the replica that its id names', async () => {
        for (const [name, base] of gateways) {
          const { hostname, port } = new URL(base);
          const id = `${replicaName(hostname, Number(port))}secret`;
          for (const path of [
            `/socket.io/?EIO=4&transport=polling&sid=${id}`,
            `/events/?EIO=4&transport=polling&sid=${id}`,
            `/events?id=${id}`,
          ]) {
            for (let turn = 0; turn < 3; turn += 1) expect(seenIn(await send(broken.origin, path)).replica).toBe(name);
          }
          const { received, socket } = await talk(broken.origin, handshake(`/socket.io/?EIO=4&sid=${id}`), '\r\n\r\n');
          expect(received()).toContain(`X-Replica: ${name}\r\n`);
          socket.destroy();
        }
      });

      it('gives a session of an unknown replica to any', async () => {
        const path = `/socket.io/?EIO=4&transport=polling&sid=${'0'.repeat(32)}secret`;
        expect(['one', 'two']).toContain(seenIn(await send(broken.origin, path)).replica);
      });
    });

    describe('with two replicas of a service', () => {
      const replicas = [new Upstream('left'), new Upstream('right')];
      let pair: RunningProxy;
      beforeAll(async () => {
        const addresses = await Promise.all(replicas.map(named));
        pair = await start({ inspection: addresses, 'raw-data': addresses, events: addresses });
      });
      afterAll(() => pair?.stop());
      const arrivalsAt = (target: string) => replicas.flatMap(({ arrivals }) => arrivals).filter((arrival) => arrival.target === target);
      const misbehaviours = ['break', 'starting'];

      it.each(misbehaviours)('asks the other one when a request that only reads meets one that does this: %s', async (what) => {
        for (const method of ['GET', 'HEAD', 'GET', 'HEAD']) {
          const answer = await send(pair.origin, `/rawDataServiceRest/test/${what}/left`, { method });
          expect([method, answer.status]).toEqual([method, 200]);
          if (method === 'GET') expect(seenIn(answer).replica).toBe('right');
        }
      });

      it('says so when none answers', async () => {
        const answer = await send(pair.origin, '/dataServiceRest/test/break/left,right');
        expectErrorBody(answer, 503, 'Unavailable');
        expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
        expect(await send(pair.origin, '/dataServiceRest/test/starting/left,right')).toMatchObject({
          status: 503,
          body: '{"message":"own words"}',
          headers: { 'retry-after': '77' },
        });
      });

      it.each([
        ['DELETE', undefined],
        ['DELETE', '["a"]'],
        ['POST', '["a"]'],
        ['PUT', '["a"]'],
      ])('sends a %s with the body %s once, and answers 503 when nobody knows what became of it', async (method, body) => {
        for (const name of ['left', 'right']) {
          const target = `/dataServiceRest/test/break/${name}/${method}/%2F?${body === undefined ? 'none' : 'body'}`;
          const statuses: number[] = [];
          // Replicas take turns, so the broken one is asked soon.
          while (!statuses.includes(503)) {
            expect(statuses.length).toBeLessThan(20);
            const answer = await send(pair.origin, target, { method, ...(body !== undefined && { body }) });
            statuses.push(answer.status);
            if (answer.status === 503) {
              expectErrorBody(answer, 503, 'Unavailable');
              expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
            }
          }
          expect(arrivalsAt(target)).toHaveLength(statuses.length);
        }
      });
    });

    it('answers 503 to a socket whose service is down', async () => {
      const dead = await closedPort();
      const broken = await start({ inspection: [dead], 'raw-data': [dead], events: [dead] });
      try {
        const { received, socket } = await talk(broken.origin, handshake('/socket.io/?EIO=4'), '}');
        expect(received()).toMatch(/^HTTP\/1\.1 503 /);
        expect(received()).toMatch(/Retry-After: \d/);
        socket.destroy();
      } finally {
        await broken.stop();
      }
    });
  });
}
