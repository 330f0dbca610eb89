import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { explainListenFailure, findPortHolder, listeningSockets } from './port-holder.ts';

const TABLE = `  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
   0: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31337 1 0000000000000000 100 0 0 10 0
   1: 0100007F:1F90 0100007F:C350 01 00000000:00000000 00:00000000 00000000     0        0 31338 1 0000000000000000 20 4 30 10 -1
   2: 0100007F:0050 00000000:0000 0A 00000000:00000000 00:00000000 00000000     0        0 31339 1 0000000000000000 100 0 0 10 0
`;

const failure = (code: string): Error => Object.assign(new Error(code), { code });

describe('an unavailable port', () => {
  it('is found in the system table, listeners only', () => {
    expect(listeningSockets(TABLE, 8080)).toEqual(['31337']);
    expect(listeningSockets(TABLE, 80)).toEqual(['31339']);
    expect(listeningSockets(TABLE, 8081)).toEqual([]);
  });

  it('leads to the process that listens', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      expect(await findPortHolder(port)).toBe(process.pid);
    } finally {
      server.close();
      await once(server, 'close');
    }
    expect(await findPortHolder(port)).toBeUndefined();
  });

  it('is explained with its process and what to do', async () => {
    const text = await explainListenFailure(failure('EADDRINUSE'), { host: '127.0.0.1', port: 8080 }, () => Promise.resolve(process.pid));
    expect(text).toMatch(
      new RegExp(`^Port 8080 of 127.0.0.1 is taken by process ${process.pid} \\(.*node.*kill ${process.pid}.*SINEBAR_PORT=8081 npm start$`),
    );
    const unknown = await explainListenFailure(failure('EADDRINUSE'), { host: '127.0.0.1', port: 8081 }, () => Promise.resolve(undefined));
    expect(unknown).toBe(
      'Port 8081 of 127.0.0.1 is taken by another program. Stop it, or start Sinebar on another port: SINEBAR_PORT=8080 npm start',
    );
  });

  it('is distinguished from other failures', async () => {
    expect(await explainListenFailure(failure('EACCES'), { host: '127.0.0.1', port: 80 })).toContain('below 1024');
    expect(await explainListenFailure(failure('EADDRNOTAVAIL'), { host: '10.9.9.9', port: 80 })).toContain('SINEBAR_HOST=10.9.9.9');
    expect(await explainListenFailure(new Error('something else'), { host: '127.0.0.1', port: 80 })).toBeUndefined();
  });
});
