import type { IncomingMessage } from 'node:http';
import { isIP } from 'node:net';
import { ServiceError } from '@sinebar/contracts';
import { plainAddress } from './client-address.ts';

/**
 * Refuses a request with several `Host` headers, even equal ones: proxies and servers disagree about which one counts (RFC 9112, 3.2).
 * @returns 400. spec: decisions.md 10.6
 */
export function ambiguousHost({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): ServiceError | undefined {
  let hosts = 0;
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts > 1 ? new ServiceError('InvalidRequest', `The request has ${hosts} Host headers. Send one.`) : undefined;
}

export interface HostRuleOptions {
  /** Without authentication a page that points its own name at this server could read everything. */
  isOpen: boolean;
  /** Names and addresses under which clients reach the server, from `SINEBAR_HOSTS`, `SINEBAR_PUBLIC_URL` and `SINEBAR_HOST`. */
  names: readonly string[];
}

/** Whether a requested host, such as `plant:8080`, is this server. */
export type HostRule = (host: string, request: Pick<IncomingMessage, 'socket'>) => boolean;

/**
 * Makes the rule for accepted hosts: loopback, listed ones and the local address of the connection.
 * The last one is safe because DNS rebinding needs a name. With authentication and an empty list every host is accepted: a page of a
 * foreign name has no credentials of this server. spec: decisions.md 10.6
 */
export function hostRule({ isOpen, names }: HostRuleOptions): HostRule {
  const own = new Set(names.map(hostNameOf));
  const takesAll = !isOpen && own.size === 0;
  return (host, { socket }) => {
    const name = hostNameOf(host);
    return takesAll || isLoopbackName(name) || own.has(name) || (isIP(name) !== 0 && name === plainAddress(socket.localAddress ?? ''));
  };
}

/** Whether a text is a name or an address, with or without a port. */
export function isHostName(text: string): boolean {
  return isIP(hostNameOf(text)) !== 0 || /^[a-z\d_]([a-z\d._-]*[a-z\d_])?$/.test(hostNameOf(text));
}

/** Normalises a host: no port, brackets or trailing dot, in lower case. */
function hostNameOf(host: string): string {
  const lower = host.trim().toLowerCase();
  if (isIP(lower) !== 0) return lower;
  const name = /^(?:\[(?<address>[^\]]*)\]|(?<name>[^:]*))(?::\d*)?$/.exec(lower)?.groups;
  return name?.['address'] ?? name?.['name']?.replace(/\.$/, '') ?? lower;
}

/** Browsers resolve names below `localhost` to their own machine. */
function isLoopbackName(name: string): boolean {
  return name === 'localhost' || name.endsWith('.localhost') || isLoopbackAddress(name);
}

export function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
