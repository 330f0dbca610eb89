import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { setTimeout as sleep } from 'node:timers/promises';
import { EVERYONE, PathScope } from '@sinebar/access-control';
import { eventually } from '@sinebar/testing';
import { PollingClient, TestBench } from './bench.fixture.ts';
import { TestAuthenticator, type TestClient } from './gateway.fixture.ts';
import { measurementsCreated, partCreated, reader } from './test-changes.fixture.ts';

const below = (key: string, ...prefixes: string[]) => reader(key, { plan: PathScope.of(prefixes) });
const ended = (client: TestClient) => new Promise<string>((resolve) => client.socket.once('disconnect', resolve));

describe('open connections', () => {
  let bench: TestBench;
  let authenticator: TestAuthenticator;
  beforeEach(() => {
    bench = new TestBench();
    authenticator = new TestAuthenticator({ anna: below('a', 'pa/'), bert: EVERYONE });
  });
  afterEach(() => bench.end());
  const auth = (token: string, more: object = {}) => ({ auth: { token, ...more } });
  const inMs = (ms: number) => `@${Date.now() + ms}`;

  describe('when the policy changes', () => {
    it.each([
      ['under another key', 'b'],
      ['under the same key', 'a'],
    ])('have the new rights from the next event on, %s [D8.4]', async (_, key) => {
      const { url } = await bench.start({ authenticator });
      const [anna, bert] = [await bench.open(url, auth('anna')), await bench.open(url, auth('bert'))];
      await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/')]);
      await bert.has(2);
      authenticator.changePolicy(() => authenticator.set('anna', below(key, 'pb/')));
      await bench.bus.publish([partCreated('3', 'pa/'), partCreated('4', 'pb/')]);
      await bert.has(4);
      await anna.has(2);
      expect(anna.uuids).toEqual(['1', '4']);
      expect(bert.uuids).toEqual(['1', '2', '3', '4']);
    });

    it('lose and repeat nothing that may be seen before and after', async () => {
      const { url } = await bench.start({ authenticator });
      const anna = await bench.open(url, auth('anna'));
      const total = 300;
      for (let i = 0; i < total; i += 1) {
        await bench.bus.publish([partCreated(String(i), 'pa/')]);
        if (i % 3 === 0) authenticator.changePolicy(() => authenticator.set('anna', below(`key ${i}`, 'pa/', `p${i}/`)));
      }
      await anna.has(total);
      expect(anna.uuids).toEqual(Array.from({ length: total }, (_, i) => String(i)));
    });

    it('keep their subscriptions', async () => {
      const { url } = await bench.start({ authenticator });
      const anna = await bench.open(url, auth('anna'));
      await anna.ask('subscribe', { events: ['PartCreated'], partPath: '/b' });
      authenticator.changePolicy(() => authenticator.set('anna', EVERYONE));
      await bench.bus.publish([partCreated('1', 'pa/'), measurementsCreated(['2'], 'pb/'), partCreated('3', 'pb/')]);
      await anna.has(1);
      expect(anna.uuids).toEqual(['3']);
    });

    it('do not get waiting events that they may no longer see, and get the rest in order [D8.4]', async () => {
      const { url } = await bench.start({ authenticator });
      authenticator.set('anna', below('both', 'pa/', 'pb/'));
      const [anna, bert] = [await PollingClient.open(url, { token: 'anna' }), await bench.open(url, auth('bert'))];
      await anna.poll();
      await bench.bus.publish([partCreated('1', 'pb/'), partCreated('2', 'pa/'), partCreated('3', 'pb/')]);
      await bert.has(3);
      authenticator.changePolicy(() => authenticator.set('anna', below('b', 'pb/')));
      await bench.bus.publish([partCreated('4', 'pa/'), partCreated('5', 'pb/')]);
      await bert.has(5);
      const seen: unknown[] = [];
      while (seen.at(-1) !== '5') seen.push(...(await anna.poll()).map(([, { PartUuid }]) => PartUuid));
      expect(seen).toEqual(['1', '3', '5']);
    });

    it('that are behind catch up under the new rights [D8.4]', async () => {
      const { url, service } = await bench.start({ authenticator, env: { SINEBAR_SOCKET_BUFFER_BYTES: '65536' } });
      authenticator.set('anna', reader('slow', { plan: PathScope.below('pa/'), measurement: PathScope.below('pa/') }));
      const { proxy, url: slowUrl } = await bench.proxy(url);
      const slow = await bench.open(slowUrl, { ...auth('anna'), transports: ['websocket'] });
      proxy.stall('answers');
      const total = 600;
      const wide = 'x'.repeat(2_000);
      for (let i = 0; i < total; i += 1) {
        await bench.bus.publish([
          measurementsCreated(
            Array.from({ length: 20 }, (_, k) => `${i}.${k}.${wide}`),
            'pa/',
          ),
        ]);
        if (i % 20 === 0) await sleep(10);
      }
      const behind = async () => (await service.health()).find(({ name }) => name === 'event clients')?.detail;
      await eventually(async () => expect(await behind()).toBe('1 connected, 1 of them catching up'));
      authenticator.changePolicy(() => authenticator.set('anna', below('less', 'pa/')));
      proxy.restore();
      await bench.bus.publish([partCreated('last', 'pa/')]);
      await eventually(() => slow.uuids.at(-1) === 'last');
      expect(slow.uuids.length).toBeLessThan(total * 20);
      const measurements = slow.uuids.slice(0, -1).map((uuid) => String(uuid).slice(0, -2_001));
      const all = Array.from({ length: total }, (_, i) => Array.from({ length: 20 }, (_unused, k) => `${i}.${k}`)).flat();
      expect(measurements).toEqual(all.slice(0, measurements.length));
    });

    it('end with a readable reason when their user is removed, and the same credentials are refused [D8.4]', async () => {
      const { url } = await bench.start({ authenticator });
      const [anna, bert] = [await bench.open(url, auth('anna')), await bench.open(url, auth('bert'))];
      await bench.bus.publish([partCreated('1', 'pa/')]);
      await Promise.all([anna.has(1), bert.has(1)]);
      const end = ended(anna);
      authenticator.changePolicy(() => authenticator.users.delete('anna'));
      await bench.bus.publish([partCreated('2', 'pa/')]);
      expect(await end).toBe('io server disconnect');
      await bert.has(2);
      const [first, last] = anna.received;
      expect(last).toMatchObject({ name: 'ConnectionEnded', data: { code: 'Unauthenticated', message: 'this user is no longer known' } });
      expect(anna.received).toHaveLength(2);
      expect(await bench.refusal(url, auth('anna'))).toMatchObject({ message: 'these credentials are not known' });
      authenticator.set('anna', below('a', 'pa/'));
      // The closing event has the position of the client, so it can resume there.
      expect(last?.meta.sequence).not.toBe(first?.meta.sequence);
      const again = await bench.open(url, auth('anna', { lastSequence: last?.meta.sequence }));
      await again.has(1);
      expect(again.uuids).toEqual(['2']);
    });
  });

  describe('when their credentials end', () => {
    it('are warned before, then ended with a reason; no event follows [D8.4]', async () => {
      const { url } = await bench.start({ authenticator, env: { SINEBAR_TOKEN_WARNING_S: '4' } });
      const begun = Date.now();
      const end = begun + 4_900;
      const anna = await bench.open(url, auth(`anna@${end}`));
      const warning = await anna.event('TokenExpiring');
      expect(warning.data).toEqual({ expiresAt: new Date(end).toISOString() });
      expect(Date.now() - begun).toBeGreaterThanOrEqual(900);
      expect(Date.now()).toBeLessThan(end);
      const reason = ended(anna);
      await bench.bus.publish([partCreated('1', 'pa/')]);
      await eventually(() => Date.now() >= end);
      await bench.bus.publish([partCreated('2', 'pa/')]);
      expect(await reason).toBe('io server disconnect');
      expect(anna.names).toEqual(['TokenExpiring', 'PartCreated', 'ConnectionEnded']);
      expect(anna.received[2]?.data).toEqual({ code: 'Unauthenticated', message: expect.stringContaining('expired') });
      expect(await bench.refusal(url, auth(`anna@${end}`))).toMatchObject({ message: 'The token has expired. Sign in again.' });
    });

    it('are not sent waiting events [D8.4]', async () => {
      const { url, service } = await bench.start({ authenticator });
      const end = Date.now() + 3_000;
      const [anna, bert] = [await PollingClient.open(url, { token: `anna@${end}` }), await bench.open(url, auth('bert'))];
      expect((await anna.poll()).map(([name]) => name)).toEqual(['TokenExpiring']);
      await bench.bus.publish([partCreated('1', 'pa/')]);
      await bert.has(1);
      // The poll before this would receive the waiting event.
      await eventually(async () => (await service.health()).some(({ detail }) => detail === '1 connected, 0 of them catching up'));
      expect((await anna.poll()).map(([name]) => name)).toEqual(['ConnectionEnded']);
    });

    it('continue without reconnecting when they reauthenticate in time [D8.4]', async () => {
      const { url } = await bench.start({ authenticator });
      const end = Date.now() + 4_000;
      const [anna, other] = [await bench.open(url, auth(`anna@${end}`)), await bench.open(url, auth(`bert@${end}`))];
      const { id } = anna.socket;
      expect(await anna.ask('reauthenticate', { token: `anna${inMs(60_000)}` })).toEqual({ ok: true });
      await other.event('ConnectionEnded');
      await bench.bus.publish([partCreated('1', 'pa/')]);
      await anna.event('PartCreated');
      expect(anna.socket.id).toBe(id);
      expect(anna.names).toEqual(['TokenExpiring', 'TokenExpiring', 'PartCreated']);
    });

    it('keep their credentials when they reauthenticate with invalid ones', async () => {
      const { url } = await bench.start({ authenticator });
      const end = Date.now() + 4_000;
      const anna = await bench.open(url, auth(`anna@${end}`));
      for (const [bad, reason] of [
        [{ token: 'nobody' }, 'not known'],
        [{ token: `anna@1` }, 'expired'],
        [{ token: 'bert' }, 'another user'],
        [{ token: 5 }, 'The member token must be a text.'],
        ['anna', 'Credentials are an object'],
        [undefined, 'not known'],
        [{ token: 'anna', username: 'anna', password: 'x' }, 'Give only one of'],
      ] as const) {
        expect([bad, await anna.ask('reauthenticate', bad)]).toEqual([bad, { error: expect.stringContaining(reason) }]);
      }
      await bench.bus.publish([partCreated('1', 'pa/')]);
      await anna.event('PartCreated');
      await anna.event('ConnectionEnded');
      expect(Date.now()).toBeGreaterThanOrEqual(end);
    });

    it('have the rights of the new credentials', async () => {
      const { url } = await bench.start({ authenticator });
      const [anna, bert] = [await bench.open(url, auth('anna')), await bench.open(url, auth('bert'))];
      authenticator.set('anna', below('claims', 'pb/'));
      await bench.bus.publish([partCreated('1', 'pa/'), partCreated('2', 'pb/')]);
      await bert.has(2);
      expect(await anna.ask('reauthenticate', { token: 'anna' })).toEqual({ ok: true });
      await bench.bus.publish([partCreated('3', 'pa/'), partCreated('4', 'pb/')]);
      await anna.has(2);
      expect(anna.uuids).toEqual(['1', '4']);
    });
  });
});
