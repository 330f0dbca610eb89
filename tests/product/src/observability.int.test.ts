import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PART_RIGHTS } from '@sinebar/access-control';
import { eventually } from '@sinebar/testing';
import { alertRules, dashboardPanels, missingSeries, readExpression, readSeries, watchedExpressions } from '@sinebar/testing/observability';
import { io, type Socket } from 'socket.io-client';
import { startSecuredServer, type SecuredServer } from './secured-server.fixture.ts';

const rules = alertRules();

describe('dashboard and alert rules', () => {
  it.each(watchedExpressions())('%s is PromQL', (_, expr) => {
    const { problems, metrics } = readExpression(expr);
    expect(problems).toEqual([]);
    expect(metrics).not.toEqual([]);
  });

  it('are refused by the parser when they are broken', () => {
    expect(readExpression('sum(rate(up[5m])').problems).toHaveLength(1);
    expect(readExpression('up ==').problems).not.toEqual([]);
    expect(missingSeries([])).not.toEqual([]);
  });

  it('have a description of each alert in the documentation', () => {
    const text = readFileSync(new URL('../../../docs/observability.md', import.meta.url), 'utf8');
    expect(rules.filter(({ alert }) => !text.includes(`\`${alert}\``)).map(({ alert }) => alert)).toEqual([]);
    expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
    for (const { alert, for: time, labels, annotations } of rules) {
      expect({ alert, time, severity: labels.severity, summary: annotations.summary }).toEqual({
        alert,
        time: expect.stringMatching(/^\d+m$/),
        severity: expect.stringMatching(/^(critical|warning|info)$/),
        summary: expect.any(String),
      });
    }
  });

  it('have panels that do not overlap', () => {
    const panels = dashboardPanels();
    const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
      Array.from({ length: w * h }, (_, cell) => `${x + (cell % w)} ${y + Math.floor(cell / w)}`),
    );
    expect(new Set(cells).size).toBe(cells.length);
    expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24);
  });
});

describe('the metrics of a server', () => {
  let server: SecuredServer;
  let authorization: string;
  let client: Socket;
  const part = randomUUID();
  const file = `/rawDataServiceRest/rawData/Part/${part}/1`;

  const scrape = async () => readSeries(await (await fetch(`http://127.0.0.1:${server.managementPort}/metrics`)).text());

  beforeAll(async () => {
    const roles = { all: { grants: [{ path: '/', rights: [...PART_RIGHTS] }] } };
    const policy = { roles, users: {}, claims: [{ claim: 'groups', value: 'all', roles: ['all'] }] };
    server = await startSecuredServer(policy, { SINEBAR_MANAGEMENT_PORT: '0' });
    ({ authorization } = await server.bearer('allan'));
    client = io(`http://127.0.0.1:${server.port}`, { extraHeaders: { authorization }, transports: ['websocket'] });
    await eventually(() => client.connected);
  });
  afterAll(async () => {
    client?.disconnect();
    await server?.stop();
  });

  it('include all that the dashboard and the rules name, with their labels', async () => {
    await server.send('GET', '/dataServiceRest/parts', { authorization });
    // Those of scheduled backups come from a process of its own.
    const missing = missingSeries((await scrape()).keys());
    expect(missing.filter((problem) => !problem.includes('metric sinebar_backup_'))).toEqual([]);
  });

  it('count requests by routes, not by addresses', async () => {
    const before = await scrape();
    const grown = async (series: string) => ((await scrape()).get(series) ?? 0) - (before.get(series) ?? 0);
    const events: string[] = [];
    client.on('PartCreated', () => events.push('PartCreated'));
    expect((await server.send('POST', '/dataServiceRest/parts', { authorization }, [{ uuid: part, path: 'P:/Pump/' }])).status).toBe(201);
    const body = 'x'.repeat(5000);
    const url = `http://127.0.0.1:${server.port}${file}`;
    const headers = { authorization, 'Content-Type': 'text/plain', 'Content-Disposition': 'attachment; filename="a.txt"' };
    // The part mirror, which decides the rights on files, follows the part.
    await eventually(async () => {
      const { status } = await fetch(url, { method: 'POST', headers, body });
      if (status >= 300) throw new Error(`answered ${status}`);
    });
    expect(await (await fetch(url, { headers: { authorization } })).text()).toBe(body);
    expect((await server.send('GET', '/dataServiceRest/parts')).status).toBe(401);
    expect((await server.send('GET', '/dataServiceRest/parts', { authorization: 'Bearer wrong' })).status).toBe(401);
    expect((await server.send('GET', `/nowhere/${randomUUID()}`, { authorization })).status).toBe(404);
    await eventually(() => events.length > 0);

    const created = 'sinebar_http_requests_total{route="/dataServiceRest/parts",method="POST",status="201"}';
    await eventually(async () => (await grown(created)) === 1);
    expect(await grown('sinebar_http_requests_total{route="/dataServiceRest/parts",method="GET",status="401"}')).toBe(2);
    expect(await grown('sinebar_http_requests_total{route="none",method="GET",status="404"}')).toBe(1);
    expect(await grown('sinebar_http_request_duration_seconds_count{route="/dataServiceRest/parts",method="GET"}')).toBe(2);
    expect(await grown('sinebar_authentication_refusals_total{reason="none"}')).toBe(1);
    expect(await grown('sinebar_authentication_refusals_total{reason="wrong"}')).toBe(1);
    expect(await grown('sinebar_blob_written_bytes_total')).toBe(5000);
    await eventually(async () => (await grown('sinebar_blob_read_bytes_total')) === 5000);
    const sentFor = 'sinebar_http_sent_bytes_total{route="/rawDataServiceRest/rawData/:entity/:uuid/:key"}';
    await eventually(async () => (await grown(sentFor)) > 5000);
    const now = await scrape();
    expect([...now.keys()].filter((series) => series.includes(part))).toEqual([]);
    expect(now.get('sinebar_spool_bytes{service="raw-data"}')).toBe(0);
    expect(now.get('sinebar_uploads_in_progress')).toBe(0);
    expect(now.get('sinebar_gateway_clients{state="live",protocol="socket.io"}')).toBe(1);
    expect(now.get('sinebar_gateway_clients{state="live",protocol="signalr"}')).toBe(0);
    await eventually(async () => (await grown('sinebar_relay_published_total{service="inspection"}')) === 1);
    expect(await grown('sinebar_relay_published_total{service="raw-data"}')).toBe(1);
    await eventually(async () => (await grown('sinebar_gateway_delay_seconds_count')) === 2);
    await eventually(async () => (await scrape()).get('sinebar_gateway_lag_messages') === 0);
    expect(await grown('sinebar_stream_last_sequence{service="events"}')).toBe(2);
    expect(await grown('sinebar_gateway_events_total')).toBe(2);
    expect(now.get('sinebar_relay_active{service="raw-data"}')).toBe(1);
  });

  it('count the removal of the bytes of deleted files', async () => {
    expect((await server.send('DELETE', file, { authorization })).status).toBe(200);
    await eventually(async () => (await scrape()).get('sinebar_blobs_removed_total') === 1);
    await eventually(async () => (await scrape()).get('sinebar_background_backlog{service="raw-data",task="blob removal"}') === 0);
  });
});
