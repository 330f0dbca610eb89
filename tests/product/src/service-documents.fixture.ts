import { PRODUCT_VERSION, createLogger, healthRoutes, loadSettings, type ComposedService } from '@sinebar/runtime';
import { composeEvents } from '@sinebar/events';
import { composeInspection } from '@sinebar/inspection';
import { composeRawData } from '@sinebar/raw-data';
import { documentRoute, type OpenApiDocument, type Route } from '@sinebar/http';
import { standaloneSettings } from '@sinebar/program/settings';
import { webRoutes } from '@sinebar/program/web';

/** Stands for dependencies, which are never used because routes are only read. */
const untouched = <T>(): T => ({}) as T;

const log = createLogger({ service: 'test', level: 'fatal' });
const settings = loadSettings(standaloneSettings, {}).values;
const now = () => new Date();

export interface DocumentedService {
  name: string;
  /** Routes of the service and of its health. */
  routes: readonly Route[];
  document: OpenApiDocument;
}

export async function documentedServices(): Promise<DocumentedService[]> {
  const parts = { ...untouched<Parameters<typeof composeInspection>[0]>(), log, now, settings } as never;
  const inspection = composeInspection(parts);
  const services: ComposedService[] = [
    { ...inspection, routes: [...inspection.routes, ...webRoutes(untouched<Parameters<typeof webRoutes>[0]>())] },
    composeRawData(parts),
    composeEvents({ ...untouched<Parameters<typeof composeEvents>[0]>(), log, settings }),
  ];
  const health = healthRoutes({ check: () => Promise.resolve([]), peers: [], isStopping: () => false });
  return Promise.all(
    services.map(async ({ name, routes, document }) => {
      if (!document) throw new Error(`${name} has no document`);
      const all = [...routes, ...health];
      const route = documentRoute(document, PRODUCT_VERSION, all);
      const reply = await route.handle({ headers: {}, context: { origin: 'http://127.0.0.1' } } as never);
      if (reply.kind !== 'text') throw new Error(`${name} answers its document with ${reply.kind}`);
      return { name, routes: [...all, route], document: JSON.parse(reply.text.toString()) as OpenApiDocument };
    }),
  );
}
