import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TLSSocket } from 'node:tls';
import { ServiceError } from '@sinebar/contracts';
import { plainAddress, trustedProxyCheck } from './client-address.js';
import { hostRule, isLoopbackAddress, type HostRule } from './host-rule.js';

export interface BrowserGuardOptions {
  /** Names and addresses under which clients reach the server besides `publicUrl`. */
  SINEBAR_HOSTS?: readonly string[];
  /** Origins of pages that may use the server besides its own; `*` allows all. */
  SINEBAR_CORS_ORIGINS?: readonly string[];
  /** Proxies whose headers are believed, as `isProxyName` takes them. */
  SINEBAR_TRUSTED_PROXIES?: readonly string[];
  /** Whether nobody has to sign in. */
  isOpen: boolean;
  /** Address or name to listen on. */
  host?: string;
  /** Address under which clients reach the server. */
  publicUrl?: string | undefined;
}

type Request = Pick<IncomingMessage, 'headers' | 'method' | 'socket'>;

/** Methods by which nothing is changed. */
const READING = new Set(['GET', 'HEAD', 'OPTIONS']);
const METHODS = 'GET, HEAD, POST, PUT, DELETE';
/** Headers of answers that pages of other origins may read besides those that they always may. */
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
/** Seconds for which a browser may remember the answer to its question. */
const PREFLIGHT_SECONDS = '600';

/**
 * Protects a server from pages of other origins in its users' browsers. Programs send neither `Origin` nor `Sec-Fetch-Site` and are not affected.
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
    // An address to listen on may stand for all of them; only a name tells how clients reach the server.
    const names = isOpen && host !== '' && plainAddress(host) === '' ? [...listed, host] : listed;
    this.isOwnHost = hostRule({ isOpen, names });
    this.isTrusted = trustedProxyCheck(SINEBAR_TRUSTED_PROXIES);
    this.allowed = new Set(SINEBAR_CORS_ORIGINS.map((origin) => origin.toLowerCase().replace(/\/$/, '')));
    this.publicOrigin = publicUrl === undefined ? undefined : new URL(publicUrl).origin;
  }

  /** @returns why a request is not answered: 421 for a host that is not ours, 403 for a change by a page of another origin */
  refusal(request: Request): ServiceError | undefined {
    const changes = !READING.has(request.method ?? 'GET');
    return this.foreignHost(request) ?? (changes && this.isForeignPage(request) ? foreignPage('change anything') : undefined);
  }

  /** As {@link refusal}, for sockets: browsers ask no permission before they open one, so there every request of a foreign page is refused. */
  socketRefusal(request: Request): ServiceError | undefined {
    return this.foreignHost(request) ?? (this.isForeignPage(request) ? foreignPage('connect') : undefined);
  }

  /** @returns 421 when a request asks for a host that is not this server */
  foreignHost(request: Request): ServiceError | undefined {
    // A trusted proxy may have passed on what a page wrote, so its header adds to the check and never replaces it.
    const foreign = this.askedHosts(request).find((host) => host !== '' && !this.isOwnHost(host, request));
    return foreign === undefined
      ? undefined
      : new ServiceError(
          'MisdirectedRequest',
          `This server is not ${foreign}. Use its public address, or ask an administrator to list this name in SINEBAR_HOSTS.`,
        );
  }

  /** Whether a page of another origin made the browser send a request. */
  isForeignPage(request: Request): boolean {
    const { origin, 'sec-fetch-site': site } = request.headers;
    if (this.isAllowedOrigin(origin)) return false;
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
    return origin !== undefined && !this.ownOrigins(request).includes(origin.toLowerCase());
  }

  /** Whether the program that asks runs on this machine and not behind a proxy. */
  isLocal(request: Request): boolean {
    const { headers, socket } = request;
    const isForwarded = headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined;
    return !isForwarded && isLoopbackAddress(plainAddress(socket.remoteAddress ?? '')) && !this.foreignHost(request);
  }

  /** Tells browsers which pages may use an answer. */
  setHeaders({ headers: { origin } }: Request, response: ServerResponse): void {
    response.setHeader('Cross-Origin-Resource-Policy', 'same-origin');
    if (this.allowed.size === 0) return;
    // Caches must not give the answer for one page to another.
    response.appendHeader('Vary', 'Origin');
    if (origin === undefined || !this.isAllowedOrigin(origin)) return;
    response.setHeader('Access-Control-Allow-Origin', this.allowed.has('*') ? '*' : origin);
    response.setHeader('Access-Control-Expose-Headers', EXPOSED);
  }

  /** Whether a browser asks on behalf of a page that is allowed what the page may send; `setHeaders` comes first. @returns true when it is answered */
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

  /** The host that the client asked for, and the one that a trusted proxy was asked for. */
  private askedHosts(request: Request): string[] {
    return [request.headers.host ?? '', ...this.forwarded(request, 'x-forwarded-host')];
  }

  /** Origins of this server as the client may have addressed it. */
  private ownOrigins(request: Request): string[] {
    const [proto] = this.forwarded(request, 'x-forwarded-proto');
    const hosts = this.askedHosts(request);
    // Where nobody says by which scheme the browser came, a proxy may have taken TLS off.
    const schemes =
      proto !== undefined ? [proto] : (request.socket as Partial<TLSSocket>).encrypted === true ? ['https'] : ['http', 'https'];
    const addressed = schemes.flatMap((scheme) => hosts.map((host) => `${scheme}://${host}`)).filter((url) => URL.canParse(url));
    return [...(this.publicOrigin === undefined ? [] : [this.publicOrigin]), ...addressed.map((url) => new URL(url).origin)];
  }

  /** @returns the value that the nearest proxy has written, which must be a trusted one; else none */
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
