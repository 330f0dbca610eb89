import { PathScope } from '@sinebar/access-control';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { createInProcessBus, MemoryMessageLog, type Bus } from '@sinebar/message-bus';
import { startGateway, TestAuthenticator, type TestGateway } from './gateway.fixture.ts';
import { measurementsCreated, partCreated, reader } from './test-changes.fixture.ts';

interface Page {
  changes: { event: string; data: Record<string, string>; meta: { id: string; time: string; sequence: string } }[];
  next: string;
  gap?: true;
}

describe('the feed over REST', () => {
  let log: MemoryMessageLog;
  let bus: Bus;
  let gateway: TestGateway;
  beforeEach(async () => {
    log = new MemoryMessageLog({ maxMessages: 5 });
    bus = createInProcessBus({ log });
    gateway = await startGateway({ bus });
  });
  afterEach(async () => {
    await gateway.stop();
    await bus.close();
  });
  const ask = async (query: string, user = ''): Promise<Page> => {
    const response = await fetch(`${gateway.url}/EventServiceRest/changes${query}`, { headers: { authorization: `Bearer ${user}` } });
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('no-store');
    return (await response.json()) as Page;
  };
  const read = (query: string) => ask(query);

  it('gives a start position, then pages of changes, also from the middle of a message [D7.2]', async () => {
    await bus.publish([partCreated('before')]);
    const { next } = await read('');
    expect(await read(`?after=${next}`)).toEqual({ changes: [], next });
    const envelope = measurementsCreated(['1', '2', '3']);
    await bus.publish([envelope, partCreated('4')]);
    const seen: string[] = [];
    const pages: number[] = [];
    for (let page = await read(`?after=${next}&limit=2`); page.changes.length > 0; page = await read(`?AFTER=${page.next}&limit=2`)) {
      seen.push(...page.changes.map(({ event, data }) => `${event} ${data['MeasurementUuid'] ?? data['PartUuid']}`));
      pages.push(page.changes.length);
    }
    expect(seen).toEqual(['MeasurementCreated 1', 'MeasurementCreated 2', 'MeasurementCreated 3', 'PartCreated 4']);
    expect(pages).toEqual([2, 2]);
    const [first] = (await read(`?after=${(await bus.streamState()).epoch}.1.0`)).changes;
    expect(first?.meta).toEqual({ id: `${envelope.id}.0`, time: envelope.time, sequence: expect.stringMatching(/\.2\.0$/) });
  });

  it('reports a gap when the following changes are no longer kept', async () => {
    const { next } = await read('');
    await bus.publish(Array.from({ length: 9 }, (_, i) => partCreated(String(i))));
    await log.trim();
    const page = await read(`?after=${next}`);
    expect(page).toMatchObject({ changes: [], gap: true });
    await bus.publish([partCreated('next')]);
    expect((await read(`?after=${page.next}`)).changes.map(({ data }) => data['PartUuid'])).toEqual(['next']);
  });

  it('shows only changes that the caller may read, and skips the rest [D8.4]', async () => {
    await gateway.stop();
    gateway = await startGateway({ bus, authenticator: new TestAuthenticator({ anna: reader('a', { plan: PathScope.below('pa/') }) }) });
    const read = (query: string) => ask(query, 'anna');
    const { next } = await read('');
    await bus.publish([partCreated('1', 'pb/'), partCreated('2', 'pa/'), partCreated('3', 'pb/')]);
    const page = await read(`?after=${next}`);
    expect(page.changes.map(({ data }) => data['PartUuid'])).toEqual(['2']);
    expect((await read(`?after=${page.next}`)).changes).toEqual([]);
  });

  it.each([
    ['after=yesterday', 'after'],
    ['after=e.1', 'after'],
    ['limit=0', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=10001', 'limit'],
    ['limit=many', 'limit'],
    ['limit=1.5', 'limit'],
    ['wait=31', 'wait'],
    ['wait=-1', 'wait'],
    ['wait=soon', 'wait'],
  ])('refuses ?%s and names the parameter [D2.5]', async (query, name) => {
    const response = await fetch(`${gateway.url}/eventServiceRest/changes?${query}`);
    const body = (await response.json()) as { details?: { field: string }[] };
    expect(response.status).toBe(400);
    expect(body.details?.[0]?.field).toContain(name);
  });

  it('refuses other methods', async () => {
    const response = await fetch(`${gateway.url}/eventServiceRest/changes`, { method: 'POST', body: '[]' });
    expect(response.status).toBe(405);
    expect(response.headers.get('allow')).toBe('GET, HEAD');
  });
});
