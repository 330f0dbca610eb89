import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { clientAddressReader, isProxyName, networkOf } from './client-address.ts';

function addressOf(trusted: string[], peer: string, forwarded?: string | string[]): string {
  const request = { headers: forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }, socket: { remoteAddress: peer } };
  return clientAddressReader(trusted)(request as unknown as IncomingMessage);
}

describe('address of a client', () => {
  it.each<[string, string[], string, string | string[] | undefined, string]>([
    ['the connection, where no proxy is trusted', [], '192.0.2.1', '198.51.100.9', '192.0.2.1'],
    ['the connection, when it is no trusted proxy', ['loopback'], '192.0.2.1', '198.51.100.9', '192.0.2.1'],
    ['what a trusted proxy wrote', ['loopback'], '127.0.0.1', '198.51.100.9', '198.51.100.9'],
    ['what a trusted proxy wrote, seen over IPv6', ['loopback'], '::ffff:127.0.0.1', '198.51.100.9', '198.51.100.9'],
    ['not what the client itself wrote in front', ['loopback'], '127.0.0.1', '1.1.1.1, 198.51.100.9', '198.51.100.9'],
    ['behind two proxies', ['10.0.0.0/8'], '10.0.0.1', '1.1.1.1, 198.51.100.9, 10.9.9.9', '198.51.100.9'],
    ['behind two proxies that send a header each', ['10.0.0.0/8'], '10.0.0.1', ['1.1.1.1, 198.51.100.9', '10.9.9.9'], '198.51.100.9'],
    ['the first, when all are trusted', ['private'], '172.20.0.3', '192.168.1.7', '192.168.1.7'],
    ['the proxy, when the header is missing', ['private'], '172.20.0.3', undefined, '172.20.0.3'],
    ['the proxy, when the header holds no address', ['private'], '172.20.0.3', 'unknown', '172.20.0.3'],
    ['without port', ['private'], '172.20.0.3', '198.51.100.9:5123', '198.51.100.9'],
    ['without port and brackets', ['private'], '172.20.0.3', '[2001:DB8::9]:5123', '2001:db8::9'],
    ['a single IPv6 proxy', ['2001:db8::1'], '2001:db8::1', '2001:db8::9', '2001:db8::9'],
  ])('is %s', (_what, trusted, peer, forwarded, expected) => {
    expect(addressOf(trusted, peer, forwarded)).toBe(expected);
  });

  it.each(['loopback', 'Private', '10.0.0.0/8', '10.1.2.3', 'fd00::/8', '::1'])('reads the proxies %s', (name) => {
    expect(isProxyName(name)).toBe(true);
  });

  it.each(['', 'all', '10.0.0.0/33', '10.0.0', 'proxy.example', '::1/129', '10.0.0.0/8/8'])('refuses the proxies %j', (name) => {
    expect(isProxyName(name)).toBe(false);
  });

  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8::6', '2001:db8:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
    ['', ''],
  ])('finds that %s is in the network %s', (address, network) => {
    expect(networkOf(address)).toBe(network);
  });
});
