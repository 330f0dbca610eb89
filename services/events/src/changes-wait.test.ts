import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYONE, PathScope } from '@sinebar/access-control';
import { eventually } from '@sinebar/testing';
import { TestBench } from './bench.fixture.ts';
import { TestAuthenticator, type TestGateway } from './gateway.fixture.ts';
import { measurementsCreated, partCreated, reader } from './test-changes.fixture.ts';

interface Page {
  changes: { data: Record<string, string>; meta: { sequence: string } }[];
  next: string;
  gap?: true;
}

describe('waiting at the feed over REST', () => {
  let bench: TestBench;
  let authenticator: TestAuthenticator;
  let gateway: TestGateway;
  beforeEach(async () => {
    bench = new TestBench();
    authenticator = new TestAuthenticator({ anna: reader('a', { plan: PathScope.below('pa/') }), bert: EVERYONE });
    gateway = await bench.start({ authenticator, env: { SINEBAR_SOCKETS_PER_USER: '3' } });
  });
  afterEach(() => bench.end());

  const get = (query: string, token: string) =>
    fetch(`${gateway.url}/eventServiceRest/changes${query}`, { headers: { authorization: `Bearer ${token}` } });
  const read = async (query: string, token = 'anna'): Promise<Page & { tookMs: number }> => {
    const begun = performance.now();
    const response = await get(query, token);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    return { ...((await response.json()) as Page), tookMs: performance.now() - begun };
  };
  /** Starts requests that find nothing and wait. @returns when they wait; their pages */
  const startWaiting = async (next: string, token = 'anna', count = 1): Promise<{ pages: Promise<Page & { tookMs: number }>[] }> => {
    const state = jest.spyOn(bench.bus, 'streamState');
    const pages = Array.from({ length: count }, () => read(`?after=${next}&wait=20`, token));
    // Each reads the stream once before it waits.
    await eventually(() => state.mock.calls.length >= count);
    state.mockRestore();
    return { pages };
  };
  const uuids = ({ changes }: Page) => changes.map(({ data }) => data['PartUuid']);

  it('answers as soon as a change arrives, and at once when there is one [D7.2]', async () => {
    const { next } = await read('');
    const { pages } = await startWaiting(next);
    await bench.bus.publish([partCreated('1', 'pa/')]);
    const [page] = await Promise.all(pages);
    expect(page?.changes.map(({ data }) => data['PartUuid'])).toEqual(['1']);
    expect(page?.tookMs).toBeLessThan(5_000);
    expect(uuids(await read(`?after=${next}&wait=20`))).toEqual(['1']);
  });

  it('skips changes that the caller may not see', async () => {
    const { next } = await read('');
    const waiting = read(`?after=${next}&wait=1`);
    for (let i = 0; i < 20; i += 1) {
      await bench.bus.publish([partCreated(String(i), 'pb/'), measurementsCreated([String(i)], 'pa/')]);
      await sleep(10);
    }
    const page = await waiting;
    expect(page.changes).toEqual([]);
    expect(page.tookMs).toBeGreaterThanOrEqual(990);
    const { epoch } = await bench.bus.streamState();
    expect(page.next.startsWith(`${epoch}.40.`)).toBe(true);
    await bench.bus.publish([partCreated('next', 'pa/')]);
    expect(uuids(await read(`?after=${page.next}`))).toEqual(['next']);
  });

  it('loses nothing to readers that wait in a chain while events keep coming [D7.2]', async () => {
    const follow = async (token: string, own: (i: number) => boolean) => {
      let { next } = await read('', token);
      const seen: (string | undefined)[] = [];
      const expected = Array.from({ length: 200 }, (_, i) => String(i)).filter((_, i) => own(i));
      return {
        done: (async () => {
          while (seen.length < expected.length) {
            const page = await read(`?after=${next}&wait=10&limit=7`, token);
            seen.push(...uuids(page));
            ({ next } = page);
          }
          return [seen, expected];
        })(),
      };
    };
    const readers = [await follow('anna', (i) => i % 4 === 0), await follow('bert', () => true)];
    for (let i = 0; i < 200; i += 1) {
      await bench.bus.publish([partCreated(String(i), i % 4 === 0 ? 'pa/' : 'pb/')]);
      if (i % 5 === 0) await sleep(3);
    }
    for (const { done } of readers) {
      const [seen, expected] = await done;
      expect(seen).toEqual(expected);
    }
  });

  it('answers an empty page when the policy changes; the next request has the new rights [D8.4]', async () => {
    const { next } = await read('');
    const { pages } = await startWaiting(next);
    authenticator.changePolicy(() => authenticator.set('anna', reader('b', { plan: PathScope.below('pb/') })));
    await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/')]);
    expect(await pages[0]).toMatchObject({ changes: [], next });
    expect(uuids(await read(`?after=${next}&wait=5`))).toEqual(['2']);
    const { pages: gone } = await startWaiting(next, 'bert');
    authenticator.changePolicy(() => authenticator.users.delete('bert'));
    await bench.bus.publish([partCreated('3', 'pb/')]);
    await Promise.all(gone);
    expect((await get(`?after=${next}`, 'bert')).status).toBe(401);
  });

  it('ends when the credentials expire [D8.4]', async () => {
    const { next } = await read('');
    const end = Date.now() + 3_000;
    const waiting = read(`?after=${next}&wait=20`, `anna@${end}`);
    await eventually(() => Date.now() >= end);
    await bench.bus.publish([partCreated('1', 'pa/')]);
    expect((await waiting).changes).toEqual([]);
    expect((await get(`?after=${next}`, `anna@${end}`)).status).toBe(401);
  });

  it('reports a gap at once', async () => {
    const { next } = await read('');
    await bench.bus.publish(Array.from({ length: 9 }, (_, i) => partCreated(String(i))));
    await bench.log.trimTo(2);
    const page = await read(`?after=${next}&wait=20`);
    expect(page).toMatchObject({ changes: [], gap: true });
    expect(page.tookMs).toBeLessThan(5_000);
  });

  it('is limited by itself for each user, so that nobody holds as many requests as sockets', async () => {
    gateway = await bench.start({ authenticator, env: { SINEBAR_WAITING_REQUESTS_PER_USER: '1' } });
    const { next } = await read('');
    const waiting = get(`?after=${next}&wait=20`, 'anna');
    // The first request may still be in flight; a request without `wait` is never refused.
    await eventually(async () => expect((await get(`?after=${next}&wait=1`, 'anna')).status).toBe(429));
    expect((await get(`?after=${next}`, 'anna')).status).toBe(200);
    await bench.bus.publish([partCreated('1', 'pa/')]);
    expect((await waiting).status).toBe(200);
  });

  it('counts as a connection of the user', async () => {
    const { next } = await read('');
    const { pages } = await startWaiting(next, 'anna', 3);
    const refused = await get(`?after=${next}&wait=20`, 'anna');
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ ExceptionType: 'TooManyRequests' });
    expect((await get(`?after=${next}`, 'anna')).status).toBe(200);
    await bench.bus.publish([partCreated('1', 'pa/')]);
    for (const page of pages) expect(uuids(await page)).toEqual(['1']);
  });

  it('ends when the server stops', async () => {
    const { next } = await read('');
    const { pages } = await startWaiting(next);
    await gateway.service.release();
    expect(await pages[0]).toMatchObject({ changes: [] });
  });
});
