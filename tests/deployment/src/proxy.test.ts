import { describe, expect, it } from '@jest/globals';
import { once } from 'node:events';
import { Agent, createServer, request as httpRequest } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { eventually, startProcess } from '@sinebar/testing';
import { chooseFreePort } from '@sinebar/local-servers';
import { describeProxy } from './proxy-contract.fixture.ts';
import { send } from './proxy-talk.fixture.ts';
import { ReverseProxy } from '@sinebar/distributed';

describeProxy('the reverse proxy in Node', async (upstreams) => {
  const proxy = new ReverseProxy({ upstreams });
  const port = await proxy.listen(0, '127.0.0.1');
  return { origin: `http://127.0.0.1:${port}`, stop: () => proxy.close(500) };
});

describe('ReverseProxy', () => {
  it.each([
    ['upgraded', 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['refused', 'HTTP/1.1 400 Bad Request\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n'],
  ])('survives when a client resets its connection, %s, while the service sends', async (_, answer) => {
    const upstream = createServer((_request, response) => response.end('here'));
    let open = 0;
    upstream.on('upgrade', (_request, socket) => {
      open += 1;
      socket.on('error', () => undefined);
      socket.write(answer);
      const sending = setInterval(() => socket.write('1\r\nx\r\n'), 1);
      socket.once('close', () => {
        clearInterval(sending);
        open -= 1;
      });
    });
    await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
    const address = [`http://127.0.0.1:${(upstream.address() as AddressInfo).port}`];
    const proxy = new ReverseProxy({ upstreams: { inspection: address, 'raw-data': address, events: address } });
    const port = await proxy.listen(0, '127.0.0.1');
    try {
      for (let i = 0; i < 5; i += 1) {
        const client = connect(port, '127.0.0.1').on('error', () => undefined);
        client.write('GET /socket.io/?transport=websocket HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
        await once(client, 'data');
        client.resetAndDestroy();
        await eventually(() => open === 0, 'the proxy has closed the connection to the service');
      }
      expect(await (await fetch(`http://127.0.0.1:${port}/dataServiceRest/parts`)).text()).toBe('here');
    } finally {
      await proxy.close(500);
      await new Promise((resolve) => upstream.close(resolve));
    }
  });

  it('refuses a service without an address', () => {
    expect(
      () => new ReverseProxy({ upstreams: { inspection: ['http://127.0.0.1:1'], 'raw-data': [], events: ['http://127.0.0.1:1'] } }),
    ).toThrow(/raw-data/);
  });

  it('answers 503 at once for a killed service, and passes requests when it is back at its port', async () => {
    const port = await chooseFreePort();
    const start = () => startProcess(process.execPath, ['-e', SERVICE, String(port)], { ready: /ready/ });
    let service = await start();
    const address = `http://127.0.0.1:${port}`;
    const proxy = new ReverseProxy({ upstreams: { inspection: [address], 'raw-data': [address], events: [address] } });
    const origin = `http://127.0.0.1:${await proxy.listen(0, '127.0.0.1')}`;
    const agent = new Agent({ keepAlive: true });
    try {
      const ask = (method: string) => send(origin, '/dataServiceRest', { method, ...(method === 'PUT' && { body: 'x'.repeat(100_000) }) });
      const askAll = () => Promise.all(['GET', 'PUT', 'GET', 'PUT', 'GET', 'PUT'].map(ask));
      expect((await askAll()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
      // The proxy now has idle connections to the service, and some on which a body is in flight.
      const uploads = Array.from({ length: 3 }, () => halfUpload(origin, agent));
      await Promise.all(uploads.map(({ half }) => half));
      const killed = Date.now();
      await service.kill9();
      expect(new Set((await askAll()).map(({ status }) => status))).toEqual(new Set([503]));
      expect(await Promise.all(uploads.map(({ end }) => end()))).toEqual([503, 503, 503]);
      expect(Date.now() - killed).toBeLessThan(20_000);
      service = await start();
      expect((await askAll()).map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);
    } finally {
      agent.destroy();
      await proxy.close(0);
      await service.kill9();
    }
  });
});

/** Reads every body to its end before it answers. */
const SERVICE = `require('node:http').createServer((request, response) => request.resume().on('end', () => response.end('done')))
  .listen(process.argv[1], '127.0.0.1', () => console.log('ready'))`;

/** A client that waits until the half of its body has been taken. */
function halfUpload(origin: string, agent: Agent): { half: Promise<void>; end: () => Promise<number> } {
  const sent = httpRequest(`${origin}/rawDataServiceRest/x`, { method: 'PUT', agent, headers: { 'Content-Length': 2_000_000 } });
  const answer = new Promise<number>((resolve, reject) => {
    sent.once('response', (incoming) => resolve(incoming.resume().statusCode ?? 0)).once('error', reject);
  });
  answer.catch(() => undefined);
  return {
    half: new Promise((resolve) => sent.write(Buffer.alloc(1_000_000), () => resolve())),
    end: () => {
      sent.end(Buffer.alloc(1_000_000));
      return answer;
    },
  };
}
