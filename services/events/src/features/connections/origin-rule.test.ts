import { describe, expect, it } from '@jest/globals';
import { isAllowedOrigin } from './origin-rule.js';

const from = (origin: string | undefined, headers: Record<string, string> = { host: 'plant:8080' }) => ({
  headers: { ...headers, ...(origin !== undefined && { origin }) },
});

describe('which web pages may open a socket', () => {
  it('lets programs in, and pages of the server itself as the browser addressed it', () => {
    expect(isAllowedOrigin(from(undefined), [])).toBe(true);
    expect(isAllowedOrigin(from('http://plant:8080'), [])).toBe(true);
    expect(isAllowedOrigin(from('https://Plant.example', { host: 'inner:1', 'x-forwarded-host': 'plant.example' }), [])).toBe(true);
  });

  it.each(['http://evil.example', 'http://plant', 'http://plant:8080.evil.example', 'http://plant:80800', 'null', '', 'file://'])(
    'keeps out pages of %p',
    (origin) => {
      expect(isAllowedOrigin(from(origin), ['https://other.example'])).toBe(false);
    },
  );

  it('lets listed pages in, however the list spells them', () => {
    expect(isAllowedOrigin(from('https://console.example'), ['https://Console.example/'])).toBe(true);
    expect(isAllowedOrigin(from('https://anything.example'), ['*'])).toBe(true);
  });
});
