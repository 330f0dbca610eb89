import { describe, expect, it } from '@jest/globals';
import { ClientDisconnected } from '@sinebar/http';
import { createLogger, Metrics } from '@sinebar/runtime';
import { ReportTally } from './report-tally.ts';

describe('the tally of reports', () => {
  it('counts those that run, how they end and how long they take, by template', async () => {
    const tally = new ReportTally();
    const metrics = new Metrics(createLogger({ service: 'test', level: 'silent' }));
    tally.observe(metrics);
    const read = async () => (await metrics.text()).split('\n');
    expect(await read()).toContain('sinebar_reports_total{template="part",outcome="failed"} 0');
    const { signal } = new AbortController();
    const gone = AbortSignal.abort(new ClientDisconnected());
    let end: (pages: number) => void = () => undefined;
    const running = tally.count('part', signal, () => new Promise<number>((resolve) => (end = resolve)));
    expect(await read()).toContain('sinebar_reports_running 1');
    end(3);
    expect(await running).toBe(3);
    await expect(tally.count('our-list', signal, () => Promise.reject(new Error('broken')))).rejects.toThrow('broken');
    await expect(tally.count('alarms', gone, () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    const lines = await read();
    expect(lines).toContain('sinebar_reports_running 0');
    expect(lines).toContain('sinebar_reports_total{template="part",outcome="made"} 1');
    expect(lines).toContain('sinebar_reports_total{template="own",outcome="failed"} 1');
    expect(lines).toContain('sinebar_reports_total{template="alarms",outcome="aborted"} 1');
    expect(lines).toContain('sinebar_report_seconds_count{template="part"} 1');
    expect(lines).toContain('sinebar_report_seconds_count{template="alarms"} 0');
  });
});
