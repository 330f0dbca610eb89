import { lookup, type LookupAddress } from 'node:dns';
import { isIP, type LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';

/** A webhook is not sent because of its address. */
export class RefusedAddress extends Error {}

/** Tells which webhooks may be sent: public addresses over https, and hosts that the operator has named. */
export class WebhookAddresses {
  private readonly hosts: ReadonlySet<string>;
  private readonly resolve: typeof lookup;

  /** @param hosts names of hosts that may have private addresses and plain http. @param resolve replacement for tests */
  constructor(hosts: readonly string[], resolve: typeof lookup = lookup) {
    this.hosts = new Set(hosts.map((host) => host.toLowerCase()));
    this.resolve = resolve;
  }

  /** @returns why nothing can be sent to the address, as far as it says without asking for the host; `undefined` if something can */
  problem(address: string): string | undefined {
    const { protocol, hostname } = new URL(address);
    if (this.isNamed(hostname)) return undefined;
    if (protocol !== 'https:') return 'must begin with https, unless SINEBAR_WEBHOOK_HOSTS names the host.';
    return hostname === 'localhost' || (isIP(bare(hostname)) !== 0 && !isPublic(bare(hostname))) ? privateHost(hostname) : undefined;
  }

  /** Resolves names for a connection, so that the address that is checked is the one that is connected to. */
  readonly lookup: LookupFunction = (hostname, options, callback) => {
    this.resolve(hostname, { ...options, all: true }, (error, addresses: LookupAddress[]) => {
      if (error) return callback(error, []);
      if (!this.isNamed(hostname) && addresses.some(({ address }) => !isPublic(address))) {
        return callback(new RefusedAddress(`The host ${privateHost(hostname)}`), []);
      }
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      return first ? callback(null, first.address, first.family) : callback(new Error(`The host ${hostname} has no address.`), []);
    });
  };

  private isNamed(hostname: string): boolean {
    return this.hosts.has(bare(hostname).toLowerCase()) || this.hosts.has(hostname.toLowerCase());
  }
}

function privateHost(hostname: string): string {
  return `${hostname} has a private address, and SINEBAR_WEBHOOK_HOSTS does not name it.`;
}

/** The address of an IPv6 host without its brackets. */
function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, '$1');
}

function isPublic(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
}
