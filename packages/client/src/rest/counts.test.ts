import { describe, expect, it } from '@jest/globals';
import { SinebarClient } from '../sinebar-client.ts';

describe('the client', () => {
  const requests: string[] = [];
  const send: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : String(input));
    requests.push(`${init?.method} ${pathname}${decodeURIComponent(search)}`);
    return Promise.resolve(Response.json({ count: 7 }));
  };
  const client = new SinebarClient({ url: 'http://sinebar.test', fetch: send });

  it('counts the measurements of a selection [D5.14]', async () => {
    expect(await client.measurements.count({ partUuids: ['a', 'b'], deep: true, aggregation: 'All' })).toBe(7);
    expect(requests.pop()).toBe('GET /dataServiceRest/measurements/count?partUuids={a,b}&deep=true&aggregation=All');
  });

  it('counts parts and characteristics together [D4.9]', async () => {
    expect(await client.planItems.count({ restrictToEntity: 'Part' })).toBe(7);
    expect(requests.pop()).toBe('GET /dataServiceRest/inspectionPlanItems/count?restrictToEntity=Part');
  });
});
