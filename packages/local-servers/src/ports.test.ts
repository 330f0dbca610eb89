import { describe, expect, it } from '@jest/globals';
import { createServer, type AddressInfo } from 'node:net';
import { chooseFreePort, PORT_RANGE } from './ports.ts';

describe('chooseFreePort', () => {
  it('returns free ports of the private range', async () => {
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

  it('skips used ports', async () => {
    const asked: number[] = [];
    const port = await chooseFreePort(undefined, (candidate) => {
      asked.push(candidate);
      return Promise.resolve(asked.length === 3);
    });
    expect(asked).toHaveLength(3);
    expect(port).toBe(asked[2]);
  });

  it('fails when every port is used', async () => {
    await expect(chooseFreePort(undefined, () => Promise.resolve(false))).rejects.toThrow('There is no free port between 20000 and 29999.');
  });
});
