import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';

export const CHART = join(import.meta.dirname, '../../../../infra/chart');

/** Why a suite that needs the rendered chart is skipped. */
export const NO_HELM = 'no helm, and no Go to build it';

interface Form {
  /** Files of infra/chart/values, the later ones on top. */
  values: readonly string[];
  namespace: string;
}

/** Combinations of values that the chart is delivered with. */
export const CHART_FORMS: Readonly<Record<string, Form>> = {
  trial: { values: ['trial'], namespace: 'sinebar-demo' },
  'trial-without-volumes': { values: ['trial', 'trial-without-volumes'], namespace: 'sinebar-demo' },
  production: { values: ['production'], namespace: 'sinebar' },
  'production-proxy': { values: ['production-proxy'], namespace: 'sinebar' },
  'inspection-only': { values: ['inspection-only'], namespace: 'sinebar' },
  'raw-data-only': { values: ['raw-data-only'], namespace: 'sinebar' },
  'events-only': { values: ['events-only'], namespace: 'sinebar' },
  'plant-north': { values: ['plant-north'], namespace: 'sinebar-north' },
  'plant-south': { values: ['plant-south'], namespace: 'sinebar-south' },
  'plants-proxy': { values: ['plants-proxy'], namespace: 'sinebar' },
};

export interface ChartOptions {
  /** Folder of the chart; default: that of this checkout. */
  chart?: string;
  /** Further files of values, by their paths. */
  files?: readonly string[];
  /** Values as `--set` takes them. */
  set?: readonly string[];
}

/** Arguments of helm that choose the values of a form. */
export function chartArgs(form: string, { chart = CHART, files = [], set = [] }: ChartOptions = {}): string[] {
  const found = CHART_FORMS[form];
  if (found === undefined) throw new Error(`The chart has no form ${form}.`);
  const paths = [...found.values.map((name) => join(chart, 'values', `${name}.yaml`)), ...files];
  return [...paths.flatMap((path) => ['--values', path]), ...set.flatMap((value) => ['--set', value])];
}

/**
 * Renders a form of the chart.
 * @param helm path of the program
 * @returns the objects
 * @throws Error with what helm says when it refuses the values
 */
export function renderChart(helm: string, form: string, options?: ChartOptions): unknown[] {
  const args = [
    'template',
    'sinebar',
    options?.chart ?? CHART,
    '--namespace',
    CHART_FORMS[form]?.namespace ?? '',
    ...chartArgs(form, options),
  ];
  const { status, stdout, stderr } = spawnSync(helm, args, { encoding: 'utf8', maxBuffer: 2 ** 24 });
  if (status !== 0) throw new Error(`helm cannot render ${form}: ${stderr}`);
  return parseAllDocuments(stdout).flatMap((document) => (document.toJS() as unknown) ?? []);
}
