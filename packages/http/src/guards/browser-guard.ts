import type { IncomingMessage, ServerResponse } from 'node:http';
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { ServiceError } from '@sinebar/contracts';
import { plainAddress, trustedProxyCheck } from './client-address.ts';

export interface BrowserGuardOptions {
  /** Names and addresses under which clients reach the server besides `publicUrl`. */
  SINEBAR_HOSTS?: readonly string[];
  /** Origins of pages that may use the server besides its own; `*` allows all. */
  SINEBAR_CORS_ORIGINS?: readonly string[];
  /** Proxies whose headers are trusted, in the form of `isProxyName`. */
  SINEBAR_TRUSTED_PROXIES?: readonly string[];
  /** True in access mode `none`. */
  isOpen: boolean;
  host?: string;
  /** Address under which clients reach the server. */
  publicUrl?: string | undefined;
}

type Request = Pick<IncomingMessage, 'headers' | 'method' | 'socket'>;

/** Methods that change nothing. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
/** Response headers that pages of other origins may read in addition to the safelisted ones. */
const EXPOSED = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Length',
  'Content-MD5',
  'Content-Range',
  'ETag',
  'Location',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
].join(', ');
/** Lifetime of a cached preflight answer in seconds. */
const PREFLIGHT_SECONDS = '600';

/**
 * Protects a server from pages of other origins in its users' browsers. Programs send neither `Origin` nor `Sec-Fetch-Site` and are not
 * affected.
 * spec: decisions.md 10.6
 */
export class BrowserGuard {
  private readonly isOwnHost: HostRule;
  private readonly isTrusted: (address: string) => boolean;
  private readonly allowed: ReadonlySet<string>;
  private readonly publicOrigin: string | undefined;

  constructor(options: BrowserGuardOptions) {
    const { isOpen, host = '', publicUrl, SINEBAR_HOSTS = [], SINEBAR_CORS_ORIGINS = [], SINEBAR_TRUSTED_PROXIES = [] } = options;
    const listed = [...SINEBAR_HOSTS, ...(publicUrl === undefined ? [] : [new URL(publicUrl).host])];
    // A listening address may stand for all interfaces; only a name says how clients reach the server.
    const names = isOpen && host !== '' && plainAddress(host) === '' ? [...listed, host] : listed;
    this.isOwnHost = hostRule({ isOpen, names });
    this.isTrusted = trustedProxyCheck(SINEBAR_TRUSTED_PROXIES);
    this.allowed = new Set(SINEBAR_CORS_ORIGINS.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
    this.publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** Checks a request. @returns 421 for a host that is not this server, 403 for a change by a page of another origin */
  refusal(request: Request): ServiceError | undefined {
    const changes = !READING.has(request.method ?? 'GET');
    return this.foreignHost(request) ?? (changes && this.isForeignPage(request) ? foreignPage('change anything') : undefined);
  }

  /** Checks a request for a socket: browsers send no preflight before opening one, so every request of a foreign page is refused. */
  socketRefusal(request: Request): ServiceError | undefined {
    return this.foreignHost(request) ?? (this.isForeignPage(request) ? foreignPage('connect') : undefined);
  }

  /** @returns 421 when a request asks for a host that is not this server */
  foreignHost(request: Request): ServiceError | undefined {
    // A trusted proxy may forward a header that a page wrote, so the header adds to the check and never replaces it.
    const foreign = this.askedHosts(request).find((host) => host !== '' && !this.isOwnHost(host, request));
    return foreign === undefined
      ? undefined
      : new ServiceError(
          'MisdirectedRequest',
          `This server is not ${foreign}. Use its public address, or ask an administrator to list this name in SINEBAR_HOSTS.`,
        );
  }

  /** Whether a page of another origin caused the request. */
  isForeignPage(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (this.isAllowedOrigin(origin)) return false;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    return origin !== undefined && !this.ownOrigins(request).includes(origin.toLowerCase());
  }

  /** Whether the client runs on this machine and not behind a proxy. */
  isLocal(request: Request): boolean {
    const { headers, socket } = request;
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return !isForwarded && isLoopbackAddress(plainAddress(socket.remoteAddress ?? '')) && !this.foreignHost(request);
  }

  setHeaders({ headers: { origin } }: Request, response: ServerResponse): void {
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (this.allowed.size === 0) return;
    // A cache must not reuse the answer for a page of another origin.
    response.appendHeader('Vary', 'Origin');
    if (origin === undefined || !this.isAllowedOrigin(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', this.allowed.has('*') ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Answers a CORS preflight of an allowed page; call `setHeaders` first. @returns true when it was answered */
  answersPreflight({ method, headers }: Request, response: ServerResponse): boolean {
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined || !this.isAllowedOrigin(headers.origin))
      return false;
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    const asked = headers['access-control-request-headers'];
    if (asked !== undefined) response.setHeader('Access-Control-Allow-Headers', asked);
    response.appendHeader('Vary', 'Access-Control-Request-Headers');
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.writeHead(204).end();
    return true;
  }

  private isAllowedOrigin(origin: string | undefined): boolean {
    return this.allowed.has('*') || (origin !== undefined && this.allowed.has(origin.toLowerCase()));
  }

  /** Returns the host that the client requested, and the one that a trusted proxy forwarded. */
  private askedHosts(request: Request): string[] {
    return [request.headers.host ?? '', ...this.forwarded(request, 'x-forwarded-host')];
  }

  /** Returns the origins under which the client may have addressed this server. */
  private ownOrigins(request: Request): string[] {
    const [proto] = this.forwarded(request, 'x-forwarded-proto');
    const hosts = this.askedHosts(request);
    // Without a forwarded scheme a proxy may have terminated TLS, so both schemes are possible.
    const schemes =
      proto !== undefined ? [proto] : (request.socket as Partial<TLSSocket>).encrypted === true ? ['https'] : ['http', 'https'];
    const addressed = schemes.flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`)).filter((url) => URL.canParse(url));
    return [...(this.publicOrigin === undefined ? [] : [this.publicOrigin]), ...addressed.map((url) => new URL(url).origin)];
  }

  /** Returns the header value that the nearest proxy wrote if that proxy is trusted; otherwise none. */
  private forwarded({ headers, socket }: Request, name: 'x-forwarded-host' | 'x-forwarded-proto'): string[] {
    const value = headers[name];
    if (value === undefined || !this.isTrusted(plainAddress(socket.remoteAddress ?? ''))) return [];
    const last = [value].flat().join(',').split(',').at(-1)?.trim() ?? '';
    return last === '' ? [] : [last];
  }
}

function foreignPage(what: string): ServiceError {
  return new ServiceError(
    'Forbidden',
    `Pages of this origin may not ${what} here. An administrator can allow it by listing the origin in SINEBAR_CORS_ORIGINS.`,
  );
}

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

interface HostRuleOptions {
  /** Without authentication a page that points its own name at this server could read everything. */
  isOpen: boolean;
  /** Names and addresses under which clients reach the server, from `SINEBAR_HOSTS`, `SINEBAR_PUBLIC_URL` and `SINEBAR_HOST`. */
  names: readonly string[];
}

/** Whether a requested host, such as `plant:8080`, is this server. */
type HostRule = (host: string, request: Pick<IncomingMessage, 'socket'>) => boolean;

/**
 * Makes the rule for accepted hosts: loopback, listed ones and the local address of the connection.
 * The last one is safe because DNS rebinding needs a name. With authentication and an empty list every host is accepted: a page of a
 * foreign name has no credentials of this server. spec: decisions.md 10.6
 */
function hostRule({ isOpen, names }: HostRuleOptions): HostRule {
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

function isLoopbackAddress(address: string): boolean {
  return address === '::1' || (isIP(address) === 4 && address.startsWith('127.'));
}
