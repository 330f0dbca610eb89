import { describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { chooseFreePort, PORT_RANGE } from './ports.js';

describe('chooseFreePort', () => {
  it('gives ports of the private range that can be bound', async () => {
    for (let i = 0; i < 20; i += 1) {
      const port = await chooseFreePort();
      expect(port).toBeGreaterThanOrEqual(PORT_RANGE.first);
      expect(port).toBeLessThanOrEqual(PORT_RANGE.last);
      const server = createServer();
      await new Promise<void>((resolve, reject) => server.once('error', reject).listen(port, '127.0.0.1', resolve));
      expect((server.address() as AddressInfo).port).toBe(port);
      await new Promise((resolve) => server.close(resolve));
    }
  });

  it('passes over ports that are taken', async () => {
    const asked: number[] = [];
    const port = await chooseFreePort(undefined, (candidate) => {
      asked.push(candidate);
      return Promise.resolve(asked.length === 3);
    });
    expect(asked).toHaveLength(3);
    expect(port).toBe(asked[2]);
  });

  it('gives up when every port is taken', async () => {
    await expect(chooseFreePort(undefined, () => Promise.resolve(false))).rejects.toThrow('no free port found between 20000 and 29999');
  });
});
