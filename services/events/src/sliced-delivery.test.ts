import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { TestBench } from './bench.fixture.ts';
import { partCreated } from './test-changes.fixture.ts';

const CLIENTS = 12;
const EVENTS = 60;

describe('a delivery that is written in slices', () => {
  let bench: TestBench;
  let clock = 0;
  beforeEach(() => void (bench = new TestBench()));
  afterEach(async () => await bench.end());

  /** Each look at this clock takes as long as a slice, so that a slice writes to one connection. */
  const nowMs = () => performance.now() + (clock += 3);

  /** A client of long polling gets events through its queue instead. */
  const open = (url: string, options: Parameters<TestBench['open']>[1] = {}) => bench.open(url, { transports: ['websocket'], ...options });

  it('reaches a client before the answer that names its position [D7.2]', async () => {
    const { url } = await bench.start({ nowMs });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(url)));
    const wrong: string[] = [];
    const asking = clients.map(async (client) => {
      while (client.received.length < EVENTS) {
        const { sequence = '' } = (await client.ask('position', {})) as { sequence?: string };
        const events = Number(sequence.split('.')[1]);
        if (client.received.length < events) wrong.push(`${client.received.length} events came before the position ${events}`);
      }
    });
    for (let i = 0; i < EVENTS; i += 1) await bench.bus.publish([partCreated(String(i))]);
    await Promise.all(asking);
    expect(wrong).toEqual([]);
    for (const client of clients) {
      expect(client.received.map(({ data }) => data['PartUuid'])).toEqual(Array.from({ length: EVENTS }, (_, i) => String(i)));
    }
  });

  it('reaches each client once, whatever it subscribes to meanwhile [D7.2]', async () => {
    const { url } = await bench.start({ nowMs });
    const clients = await Promise.all(Array.from({ length: CLIENTS }, () => open(url)));
    const changing = clients.map(async (client) => {
      while (client.received.length < EVENTS) {
        await client.ask('subscribe', { events: ['PartCreated'] });
        await client.ask('unsubscribe', { events: ['PartCreated'] });
      }
    });
    for (let i = 0; i < EVENTS; i += 1) await bench.bus.publish([partCreated(String(i))]);
    await Promise.all(changing);
    for (const client of clients) {
      expect(client.received.map(({ data }) => data['PartUuid'])).toEqual(Array.from({ length: EVENTS }, (_, i) => String(i)));
    }
  });
});
