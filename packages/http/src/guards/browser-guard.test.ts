import type { IncomingMessage } from 'node:http';
import { describe, expect, it } from '@jest/globals';
import { BrowserGuard, type BrowserGuardOptions } from './browser-guard.ts';

interface Arrival {
  method?: string;
  peer?: string;
  at?: string;
  headers: Record<string, string>;
}

function requestOf({ method = 'POST', peer = '192.0.2.7', at = '192.0.2.1', headers }: Arrival): IncomingMessage {
  return { method, headers, socket: { remoteAddress: peer, localAddress: at } } as unknown as IncomingMessage;
}
const statusOf = (options: BrowserGuardOptions, arrival: Arrival) => new BrowserGuard(options).refusal(requestOf(arrival))?.status;

const PLANT = 'plant.example:8080';
const open = { isOpen: true, SINEBAR_HOSTS: ['plant.example'] };
const proxied = { ...open, SINEBAR_TRUSTED_PROXIES: ['10.0.0.5'] };

describe('pages of other origins', () => {
  it.each<[string, BrowserGuardOptions, Arrival]>([
    ['the form of another site', open, { headers: { host: PLANT, 'sec-fetch-site': 'cross-site', origin: 'http://evil.example' } }],
    ['the form of a sandboxed frame', open, { headers: { host: PLANT, origin: 'null' } }],
    ['another site in a browser that sends no Origin', open, { headers: { host: PLANT, 'sec-fetch-site': 'cross-site' } }],
    ['another site in a browser that sends no Sec-Fetch-Site', open, { headers: { host: PLANT, origin: 'http://evil.example' } }],
    [
      'another port of the same machine',
      open,
      { headers: { host: PLANT, 'sec-fetch-site': 'same-site', origin: 'http://plant.example:81' } },
    ],
    ['a name that begins like ours', open, { headers: { host: PLANT, origin: 'http://plant.example:8080.evil.example' } }],
    [
      'a page that is not the listed one',
      { ...open, SINEBAR_CORS_ORIGINS: ['https://a.example'] },
      { headers: { host: PLANT, origin: 'https://b.example' } },
    ],
    [
      'a page under a forwarded name that no trusted proxy wrote',
      open,
      { headers: { host: PLANT, origin: 'https://evil.example', 'x-forwarded-host': 'evil.example' } },
    ],
    [
      'a page without TLS, where the proxy says that there is TLS',
      proxied,
      { peer: '10.0.0.5', headers: { host: PLANT, origin: `http://${PLANT}`, 'x-forwarded-proto': 'https' } },
    ],
  ])('cannot change anything: %s [D10.6]', (_what, options, arrival) => {
    expect(statusOf(options, arrival)).toBe(403);
  });

  it.each(['POST', 'PUT', 'DELETE', 'PATCH'])('cannot change anything by %s', (method) => {
    expect(statusOf(open, { method, headers: { host: PLANT, 'sec-fetch-site': 'cross-site' } })).toBe(403);
  });

  it.each(['GET', 'HEAD', 'OPTIONS'])('may send a %s, whose answer browsers hide from them', (method) => {
    expect(statusOf(open, { method, headers: { host: PLANT, 'sec-fetch-site': 'cross-site' } })).toBeUndefined();
  });

  it('may not even read by a socket', () => {
    const request = requestOf({ method: 'GET', headers: { host: PLANT, 'sec-fetch-site': 'cross-site' } });
    expect(new BrowserGuard(open).socketRefusal(request)?.status).toBe(403);
  });
});

describe('changes', () => {
  it.each<[string, BrowserGuardOptions, Arrival]>([
    ['programs', open, { headers: { host: PLANT } }],
    ['our own pages', open, { headers: { host: PLANT, 'sec-fetch-site': 'same-origin', origin: `http://${PLANT}` } }],
    ['our own pages in a browser that sends no Sec-Fetch-Site', open, { headers: { host: PLANT, origin: `http://${PLANT}` } }],
    ['an address that somebody typed', open, { headers: { host: PLANT, 'sec-fetch-site': 'none' } }],
    ['our own pages behind a proxy that takes TLS off', open, { headers: { host: 'plant.example', origin: 'https://plant.example' } }],
    [
      'our own pages under the public address',
      { isOpen: true, publicUrl: 'https://quality.example/' },
      { headers: { host: 'localhost:8080', origin: 'https://quality.example' } },
    ],
    [
      'our own pages under a name that a trusted proxy tells',
      { ...proxied, SINEBAR_HOSTS: ['plant.example', 'inner'] },
      {
        peer: '10.0.0.5',
        headers: { host: 'inner:1', origin: 'https://plant.example', 'x-forwarded-host': 'plant.example', 'x-forwarded-proto': 'https' },
      },
    ],
    [
      'listed pages, however the list spells them',
      { ...open, SINEBAR_CORS_ORIGINS: ['https://Console.example/'] },
      { headers: { host: PLANT, 'sec-fetch-site': 'cross-site', origin: 'https://console.example' } },
    ],
    [
      'all pages where the list says so',
      { ...open, SINEBAR_CORS_ORIGINS: ['*'] },
      { headers: { host: PLANT, 'sec-fetch-site': 'cross-site', origin: 'https://anything.example' } },
    ],
  ])('are allowed by %s', (_what, options, arrival) => {
    expect(statusOf(options, arrival)).toBeUndefined();
  });
});

describe('host name', () => {
  const secured = { isOpen: false, publicUrl: 'https://quality.example' };
  const ask = (options: BrowserGuardOptions, host: string, more: Partial<Arrival> = {}) =>
    statusOf(options, { method: 'GET', ...more, headers: { host, ...more.headers } });

  it.each<[string, BrowserGuardOptions, string, Partial<Arrival>]>([
    ['localhost', { isOpen: true }, 'localhost:8080', {}],
    ['a name below localhost', { isOpen: true }, 'sinebar.localhost', {}],
    ['a loopback address', { isOpen: true }, '127.9.9.9:8080', {}],
    ['the loopback address of IPv6', { isOpen: true }, '[::1]:8080', {}],
    ['the address at which the connection arrived', { isOpen: true }, '10.1.2.3:8080', { at: '::ffff:10.1.2.3' }],
    ['a listed name, with or without a port', open, 'PLANT.example.:99', {}],
    ['the name that the server listens on', { isOpen: true, host: 'plant' }, 'plant:8080', {}],
    ['the name of the public address', secured, 'quality.example', {}],
    ['any name, with authentication and no name given', { isOpen: false }, 'whatever.example', {}],
    ['none at all, as old programs send it', { isOpen: true }, '', {}],
  ])('is accepted: %s', (_what, options, host, more) => {
    expect(ask(options, host, more)).toBeUndefined();
  });

  it.each<[string, BrowserGuardOptions, string, Partial<Arrival>]>([
    ['a name without authentication', { isOpen: true }, 'evil.example', {}],
    ['a name that begins like a loopback one', { isOpen: true }, 'localhost.evil.example', {}],
    ['a name that looks like a loopback address', { isOpen: true }, '127.0.0.1.evil.example', {}],
    ['a name that holds ours', open, 'plant.example.evil.example', {}],
    ['an address at which nobody arrived', { isOpen: true }, '203.0.113.9', {}],
    ['the address of all addresses', { isOpen: true, host: '0.0.0.0' }, '0.0.0.0:8080', {}],
    ['another name than the public one', secured, 'evil.example', {}],
    ['what is no host', { isOpen: true }, 'a b', {}],
    ['a forwarded name of a page', proxied, PLANT, { peer: '10.0.0.5', headers: { 'x-forwarded-host': 'evil.example' } }],
    ['a name that hides behind a forwarded one', proxied, 'evil.example', { peer: '10.0.0.5', headers: { 'x-forwarded-host': PLANT } }],
  ])('is refused: %s [D10.6]', (_what, options, host, more) => {
    expect(ask(options, host, more)).toBe(421);
  });

  it('is not read from X-Forwarded-Host of a client that is not a trusted proxy', () => {
    expect(ask(open, PLANT, { headers: { 'x-forwarded-host': 'evil.example' } })).toBeUndefined();
  });
});

describe('a program on the same machine', () => {
  const isLocal = (arrival: Partial<Arrival>) =>
    new BrowserGuard({ isOpen: true }).isLocal(
      requestOf({ peer: '127.0.0.1', ...arrival, headers: { host: 'localhost', ...arrival.headers } }),
    );

  it('is recognised by its address', () => expect(isLocal({})).toBe(true));
  it('is recognised by its IPv6 address', () => expect(isLocal({ peer: '::ffff:127.0.0.1' })).toBe(true));
  it.each<[string, Partial<Arrival>]>([
    ['somebody behind a proxy on the machine', { headers: { 'x-forwarded-for': '192.0.2.9' } }],
    ['somebody behind a proxy that sends Forwarded', { headers: { forwarded: 'for=192.0.2.9' } }],
    ['another machine', { peer: '192.0.2.9' }],
    ['a page that points its own name here', { headers: { host: 'evil.example' } }],
  ])('is not %s', (_what, arrival) => expect(isLocal(arrival)).toBe(false));
});
