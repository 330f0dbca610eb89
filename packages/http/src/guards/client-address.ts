import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';

const NETWORKS: Readonly<Record<string, readonly string[]>> = {
  loopback: ['127.0.0.0/8', '::1/128'],
  private: ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16', 'fc00::/7'],
};

/** Whether a text names proxies: an address, a network, `loopback` or `private`. */
export function isProxyName(name: string): boolean {
  if (name.toLowerCase() in NETWORKS) return true;
  const [address = '', bits, ...more] = name.split('/');
  const family = isIP(address);
  if (family === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
}

/** Makes a check whether a connection comes from a trusted proxy. @param trustedProxies names in the form of `isProxyName` */
export function trustedProxyCheck(trustedProxies: readonly string[]): (address: string) => boolean {
  const trusted = new BlockList();
  for (const name of trustedProxies.flatMap((each) => NETWORKS[each.toLowerCase()] ?? [each])) {
    const [address = '', bits] = name.split('/');
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
    if (bits === undefined) trusted.addAddress(address, family);
    else trusted.addSubnet(address, Number(bits), family);
  }
  return (address) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
}

/**
 * Makes a function that returns the client address of a request.
 * Anybody can write a header, so `X-Forwarded-For` is read from its last entry back to the first that is not a trusted proxy.
 * @param trustedProxies names in the form of `isProxyName`
 */
export function clientAddressReader(trustedProxies: readonly string[]): (request: Pick<IncomingMessage, 'headers' | 'socket'>) => string {
  const isTrusted = trustedProxyCheck(trustedProxies);
  return ({ headers, socket }) => {
    let client = plainAddress(socket.remoteAddress ?? '');
    const forwarded = [headers['x-forwarded-for'] ?? []].flat().join(',').split(',');
    while (client !== '' && isTrusted(client)) {
      const before = plainAddress(forwarded.pop() ?? '');
      if (before === '') break;
      client = before;
    }
    return client;
  };
}

/** Returns the network of one client: an IPv4 address, or the first half of an IPv6 address, whose other half the client chooses freely. */
export function networkOf(address: string): string {
  if (isIP(address) !== 6) return address;
  const [before = '', after] = address.split('::');
  const groups = before === '' ? [] : before.split(':');
  const rest = after === undefined || after === '' ? [] : after.split(':');
  const zeros = after === undefined ? [] : Array<string>(Math.max(0, 8 - groups.length - rest.length)).fill('0');
  return `${[...groups, ...zeros, ...rest]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

/** Normalises an address: no port, brackets or zone; IPv4-mapped IPv6 becomes IPv4; the empty text when it is no address. */
export function plainAddress(text: string): string {
  const trimmed = text.trim();
  const bare = /^\[([^\]]*)\](?::\d+)?$/.exec(trimmed)?.[1] ?? /^([\d.]+):\d+$/.exec(trimmed)?.[1] ?? trimmed;
  const address = bare.replace(/%.*$/, '').replace(/^::ffff:(?=\d+\.)/i, '');
  return isIP(address) === 0 ? '' : address.toLowerCase();
}
