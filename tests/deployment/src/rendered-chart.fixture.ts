import { findProgram, HELM, ProgramMissingError } from '@sinebar/local-servers';
import { CHART_FORMS, renderChart, type ChartOptions } from '@sinebar/testing/kubernetes';
import type { KubernetesObject } from './kubernetes-objects.fixture.ts';

/** Renders a form of the chart. @throws Error with what helm says when it refuses the values */
export type RenderForm = (form: string, options?: ChartOptions) => KubernetesObject[];

/** Finds helm, or builds it with Go; prints the reason when that cannot be done. */
export async function findHelm(): Promise<string | undefined> {
  try {
    return await findProgram(HELM, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) });
  } catch (error) {
    if (!(error instanceof ProgramMissingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  }
}

/** Finds helm as {@link findHelm} does. */
export async function findChartRenderer(): Promise<RenderForm | undefined> {
  const helm = await findHelm();
  if (helm === undefined) return undefined;
  return (form, options) => renderChart(helm, form, options) as KubernetesObject[];
}

/** Form with the proxy of several plants, which runs none of our services. */
export const PLANTS_PROXY = 'plants-proxy';

/** Returns the objects of all forms by their names. */
export function renderForms(render: RenderForm): Record<string, KubernetesObject[]> {
  return Object.fromEntries(Object.keys(CHART_FORMS).map((name) => [name, render(name)]));
}
