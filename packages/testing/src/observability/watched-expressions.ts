import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { readExpression } from './promql.ts';

const FOLDER = new URL('../../../../infra/observability/', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, FOLDER), 'utf8');

export interface AlertRule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string };
}

export interface DashboardPanel {
  title: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  targets?: { expr: string }[];
}

export function alertRules(file = 'alerts.yml'): AlertRule[] {
  return (parse(read(file)) as { groups: { rules: AlertRule[] }[] }).groups.flatMap((group) => group.rules);
}

export function dashboardPanels(): DashboardPanel[] {
  return (JSON.parse(read('grafana-dashboard.json')) as { panels: DashboardPanel[] }).panels;
}

/** Lists every PromQL expression of both, with the name of its alert or the title of its panel. */
export function watchedExpressions(): (readonly [title: string, expression: string])[] {
  return [
    ...alertRules().map(({ alert, expr }) => [alert, expr] as const),
    ...dashboardPanels().flatMap(({ title, targets = [] }) => targets.map(({ expr }) => [title, expr] as const)),
  ];
}

/** Labels that Prometheus itself adds; the series `up` is its own too. */
const GIVEN_LABELS = ['instance', 'job', 'le'];

/**
 * Returns the series and labels of dashboard and alert rules that servers do not have.
 * @param series of all servers, `name{label="value"}`
 */
export function missingSeries(series: Iterable<string>): string[] {
  const labelsOf = new Map<string, Set<string>>();
  for (const one of series) {
    const [, name = '', labels = ''] = /^(\w+)(?:\{(.*)\})?$/.exec(one) ?? [];
    const known = labelsOf.get(name) ?? new Set();
    for (const [, label = ''] of labels.matchAll(/(\w+)="/g)) known.add(label);
    labelsOf.set(name, known);
  }
  return watchedExpressions().flatMap(([title, expression]) => {
    const { metrics, labels } = readExpression(expression);
    const present = new Set([...GIVEN_LABELS, ...metrics.flatMap((metric) => [...(labelsOf.get(metric) ?? [])])]);
    return [
      ...metrics.filter((metric) => metric !== 'up' && !labelsOf.has(metric)).map((metric) => `${title}: no metric ${metric}`),
      ...labels.filter((label) => !present.has(label)).map((label) => `${title}: no label ${label}`),
    ];
  });
}
