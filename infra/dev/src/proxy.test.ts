import { describe, expect, it } from '@jest/globals';
import { describeProxy } from './proxy-contract.test-case.js';
import { ReverseProxy } from './proxy.js';

describeProxy('the reverse proxy in Node', async (upstreams) => {
  const proxy = new ReverseProxy({ upstreams });
  const port = await proxy.listen(0, '127.0.0.1');
  return { origin: `http://127.0.0.1:${port}`, stop: () => proxy.close(500) };
});

describe('ReverseProxy', () => {
  it('refuses a service without an address', () => {
    expect(
      () => new ReverseProxy({ upstreams: { inspection: ['http://127.0.0.1:1'], 'raw-data': [], events: ['http://127.0.0.1:1'] } }),
    ).toThrow(/raw-data/);
  });
});
