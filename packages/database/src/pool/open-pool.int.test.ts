import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { backing, cuttableProxy, describeWith, type CuttableProxy } from '@sinebar/testing';
import { SILENT_LOG } from '../log.ts';
import { openPool } from './open-pool.ts';

describeWith(['postgres'], 'a pool that ends', () => {
  let proxy: CuttableProxy;
  let url: string;
  const warnings: object[] = [];
  const open = () => openPool({ connectionString: url }, {}, { ...SILENT_LOG, warn: (fields) => void warnings.push(fields) });

  beforeEach(async () => {
    const address = new URL(backing().databaseUrl);
    proxy = await cuttableProxy(address.hostname, Number(address.port));
    address.hostname = '127.0.0.1';
    address.port = `${proxy.port}`;
    url = address.href;
  });
  afterEach(() => proxy.close());

  it('has no connection left, so that a server may stop right after it', async () => {
    const { pool, end } = open();
    const clients = await Promise.all([pool.connect(), pool.connect()]);
    for (const client of clients) client.release();
    expect(proxy.connections()).toBe(2);
    await end();
    expect(proxy.connections()).toBe(0);
    proxy.cut();
    expect(warnings).toEqual([]);
  });

  it('does not wait for a server that no longer answers', async () => {
    const { pool, end } = open();
    (await pool.connect()).release();
    proxy.stall();
    await end();
    expect(proxy.connections()).toBe(1);
  });
});
