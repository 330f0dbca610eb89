import type { NodeConnectionOptions } from '@nats-io/transport-node';

/** User and password, not percent-encoded; each takes precedence over the one in the urls. */
export interface NatsCredentials {
  user?: string | undefined;
  password?: string | undefined;
}

/**
 * Converts urls such as `nats://user:password@host:4222`, `tls://token@host` or `host:4222` to connection options.
 * Credentials are removed from the urls: the client ignores them there and would keep them in its state.
 * @throws TypeError with a message that does not repeat the url
 */
export function connectionOptions(servers: string | readonly string[], given: NatsCredentials = {}): NodeConnectionOptions {
  const urls = (typeof servers === 'string' ? servers.split(',') : servers).map((text) => parse(text.trim()));
  if (urls.length === 0) throw new TypeError('No address of a NATS server is set. Write nats://host:4222.');
  const credentials = new Set(urls.map(({ username, password }) => `${username}:${password}`));
  if (credentials.size > 1) throw new TypeError('All addresses of NATS servers must have the same credentials.');
  const { username, password } = urls[0] as URL;
  const user = given.user ?? decodeURIComponent(username);
  const pass = given.password ?? decodeURIComponent(password);
  if (user === '' && pass !== '') throw new TypeError('There is a password for the NATS server but no user. Set NATS_USER.');
  return {
    servers: urls.map(({ host }) => host),
    ...(urls.some(({ protocol }) => protocol === 'tls:') ? { tls: {} } : {}),
    ...(user === '' ? {} : pass === '' ? { token: user } : { user, pass }),
  };
}

function parse(text: string): URL {
  const address = text.includes('://') ? text : `nats://${text}`;
  // Checked first, because the error of the constructor contains the address.
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url?.host)
    throw new TypeError('The address of the NATS server is malformed. Write nats://host:4222 or nats://user:password@host:4222.');
  if (url.protocol !== 'nats:' && url.protocol !== 'tls:')
    throw new TypeError(`The address of a NATS server begins with nats:// or tls://, not with ${url.protocol}//.`);
  return url;
}
