import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@sinebar/testing';
import { parse, stringify } from 'yaml';
import { ROOT } from '../compose-stack.ts';

const OBSERVABILITY = join(ROOT, 'infra/observability');
/** Seconds that stand for a minute of the rules. */
const MINUTE_S = 8;
const MAX_RANGE_S = 60;
/** A value that takes longer than 2 s is left out of a scrape, which then takes as long. */
const SCRAPE_INTERVAL = '4s';
const FOR = '4s';
/** Ages that take longer than a test; the others are reached as they are. */
const SHORTER_AGES: Readonly<Record<string, readonly [string, string]>> = { SinebarAlarmsUntold: ['> 900', '> 60'] };
const POLL = { intervalMs: 1000 };

interface Rule {
  alert: string;
  expr: string;
  for: string;
}

interface Rules {
  groups: { rules: Rule[] }[];
}

/** Returns a rule whose durations are shorter; its metrics and thresholds stay. */
function shortened(rule: Rule): Rule {
  const [age, shorter] = SHORTER_AGES[rule.alert] ?? ['', ''];
  const expr = rule.expr
    .replace(/\[(\d+)m\]/g, (_, minutes: string) => `[${Math.min(Number(minutes) * MINUTE_S, MAX_RANGE_S)}s]`)
    .replace(age, shorter);
  return { ...rule, expr, for: FOR };
}

/**
 * Writes a folder with the program, the example of a configuration, and the alert rules with shorter durations.
 * @returns the names of the alerts
 */
export function writeConfiguration(folder: string, program: string): string[] {
  const read = (file: string) => parse(readFileSync(join(OBSERVABILITY, file), 'utf8')) as unknown;
  const { groups } = read('alerts.yml') as Rules;
  const rules = groups.map((group) => ({ ...group, rules: group.rules.map(shortened) }));
  const example = read('prometheus.yml') as { scrape_configs: { dns_sd_configs: object[] }[] };
  // The half minute of the default, in the same measure.
  const jobs = example.scrape_configs.map((job) => ({
    ...job,
    dns_sd_configs: job.dns_sd_configs.map((found) => ({ ...found, refresh_interval: SCRAPE_INTERVAL })),
  }));
  const global = { scrape_interval: SCRAPE_INTERVAL, scrape_timeout: SCRAPE_INTERVAL, evaluation_interval: SCRAPE_INTERVAL };
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'alerts.yml'), stringify({ groups: rules }));
  writeFileSync(join(folder, 'prometheus.yml'), stringify({ ...example, global, scrape_configs: jobs }));
  copyFileSync(program, join(folder, 'prometheus'));
  return groups.flatMap((group) => group.rules.map(({ alert }) => alert));
}

/** A running Prometheus. */
export class Prometheus {
  private readonly url: string;

  constructor(url: string) {
    this.url = url;
  }

  /** Returns the labels and the value of each series of an expression. */
  async query(expression: string): Promise<{ labels: Record<string, string>; value: number }[]> {
    const answer = await fetch(`${this.url}/api/v1/query?query=${encodeURIComponent(expression)}`);
    const { data, error } = (await answer.json()) as {
      data?: { result: { metric: Record<string, string>; value: [number, string] }[] };
      error?: string;
    };
    if (!data) throw new Error(`Prometheus answered ${answer.status}: ${error}`);
    return data.result.map(({ metric, value: [, value] }) => ({ labels: metric, value: Number(value) }));
  }

  /** Returns the alerts that fire at this time. */
  async firing(): Promise<string[]> {
    const found = await this.query('ALERTS{alertstate="firing"}');
    return [...new Set(found.map(({ labels }) => labels['alertname'] ?? ''))].sort();
  }

  /** Waits until all these alerts fire. */
  async fires(alerts: readonly string[], timeoutMs = 240_000): Promise<void> {
    const fired = new Set<string>();
    await eventually(
      async () => {
        for (const alert of await this.firing()) fired.add(alert);
        const silent = alerts.filter((alert) => !fired.has(alert));
        if (silent.length > 0) throw new Error(`silent: ${silent.join(', ')}; firing: ${[...fired].join(', ')}`);
      },
      { ...POLL, timeoutMs, describe: `${alerts.join(', ')} fire` },
    );
  }

  /** Waits until no alert fires but these. */
  async fallsSilent(except: readonly string[] = [], timeoutMs = 180_000): Promise<void> {
    await eventually(async () => expectNone((await this.firing()).filter((alert) => !except.includes(alert))), {
      ...POLL,
      timeoutMs,
      describe: 'no alert fires',
    });
  }

  /** Returns the alerts that have fired since the start. */
  async everFired(): Promise<string[]> {
    const found = await this.query('count by (alertname) (last_over_time(ALERTS{alertstate="firing"}[1d]))');
    return found.map(({ labels }) => labels['alertname'] ?? '');
  }
}

function expectNone(alerts: readonly string[]): void {
  if (alerts.length > 0) throw new Error(`firing: ${alerts.join(', ')}`);
}
