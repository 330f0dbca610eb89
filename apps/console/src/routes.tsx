import { createRootRoute, createRoute, createRouter, lazyRouteComponent, redirect, type RouterHistory } from '@tanstack/react-router';
import { search as alarms } from './pages/alarms/search';
import { search as catalogs } from './pages/catalogs/search';
import { search as characteristic } from './pages/characteristic/search';
import { search as compare } from './pages/compare/search';
import { search as definitions } from './pages/definitions/search';
import { search as deliveries } from './pages/deliveries/search';
import { search as drawing } from './pages/drawing/search';
import { search as entry } from './pages/entry/search';
import { search as files } from './pages/files/search';
import { search as health } from './pages/health/search';
import { search as imports } from './pages/import/search';
import { search as live } from './pages/live/search';
import { search as measurement } from './pages/measurement/search';
import { search as measurements } from './pages/measurements/search';
import { search as notes } from './pages/notes/search';
import { search as part } from './pages/part/search';
import { search as plan } from './pages/plan/search';
import { search as reports } from './pages/reports/search';
import { search as rights } from './pages/rights/search';
import { search as start } from './pages/start/search';
import { search as subscriptions } from './pages/subscriptions/search';
import { search as wall } from './pages/start/wall/search';
import { ConnectionNotice } from './shell/connection-notice';
import { FailedPage, FailedPageAlone, NotFoundPage } from './shell/error-pages';
import { Frame } from './shell/frame';
import { loadWhenReachable } from './shell/update';

const root = createRootRoute({ component: Frame });

/** A page that is loaded when it is opened first. */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadWhenReachable(load), name);

const MeasurementsPage = lazyPage(() => import('./pages/measurements/page'), 'MeasurementsPage');
const PlanPage = lazyPage(() => import('./pages/plan/page'), 'PlanPage');
const FilesPage = lazyPage(() => import('./pages/files/page'), 'FilesPage');

const PART = '/parts/$partUuid';
const CHARACTERISTIC = `${PART}/characteristics/$characteristicUuid` as const;

const tree = root.addChildren([
  createRoute({
    getParentRoute: () => root,
    path: '/',
    validateSearch: start,
    component: lazyPage(() => import('./pages/start/page'), 'StartPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/wall',
    validateSearch: wall,
    component: lazyPage(() => import('./pages/start/wall/page'), 'WallPage'),
    // It has no frame that would say that the server is lost while its script is not there.
    pendingComponent: ConnectionNotice,
    errorComponent: FailedPageAlone,
  }),
  createRoute({
    getParentRoute: () => root,
    path: PART,
    validateSearch: part,
    component: lazyPage(() => import('./pages/part/page'), 'PartPage'),
  }),
  createRoute({ getParentRoute: () => root, path: `${PART}/measurements`, validateSearch: measurements, component: MeasurementsPage }),
  createRoute({
    getParentRoute: () => root,
    path: `${PART}/entry`,
    validateSearch: entry,
    component: lazyPage(() => import('./pages/entry/page'), 'EntryPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: `${PART}/drawing`,
    validateSearch: drawing,
    component: lazyPage(() => import('./pages/drawing/page'), 'DrawingPage'),
  }),
  createRoute({ getParentRoute: () => root, path: `${PART}/plan`, validateSearch: plan, component: PlanPage }),
  createRoute({ getParentRoute: () => root, path: `${PART}/files`, validateSearch: files, component: FilesPage }),
  createRoute({
    getParentRoute: () => root,
    path: `${PART}/notes`,
    validateSearch: notes,
    component: lazyPage(() => import('./pages/notes/page'), 'NotesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: CHARACTERISTIC,
    validateSearch: characteristic,
    component: lazyPage(() => import('./pages/characteristic/page'), 'CharacteristicPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: `${CHARACTERISTIC}/chart`,
    validateSearch: characteristic,
    component: lazyPage(() => import('./pages/characteristic/chart-page'), 'CharacteristicChartPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: `${CHARACTERISTIC}/measurements`,
    validateSearch: measurements,
    component: MeasurementsPage,
  }),
  createRoute({ getParentRoute: () => root, path: `${CHARACTERISTIC}/plan`, validateSearch: plan, component: PlanPage }),
  createRoute({ getParentRoute: () => root, path: `${CHARACTERISTIC}/files`, validateSearch: files, component: FilesPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/compare',
    validateSearch: compare,
    component: lazyPage(() => import('./pages/compare/page'), 'ComparePage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/measurements', validateSearch: measurements, component: MeasurementsPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/measurements/$measurementUuid',
    validateSearch: measurement,
    component: lazyPage(() => import('./pages/measurement/page'), 'MeasurementPage'),
  }),
  createRoute({ getParentRoute: () => root, path: '/files', validateSearch: files, component: FilesPage }),
  createRoute({
    getParentRoute: () => root,
    path: '/reports',
    validateSearch: reports,
    component: lazyPage(() => import('./pages/reports/page'), 'ReportsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/reports/schedules',
    component: lazyPage(() => import('./pages/schedules/page'), 'SchedulesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/alarms',
    validateSearch: alarms,
    component: lazyPage(() => import('./pages/alarms/page'), 'AlarmsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/import',
    validateSearch: imports,
    component: lazyPage(() => import('./pages/import/page'), 'ImportPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/live',
    validateSearch: live,
    component: lazyPage(() => import('./pages/live/page'), 'LivePage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration',
    beforeLoad: () => {
      throw redirect({ to: '/administration/definitions' });
    },
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/definitions',
    validateSearch: definitions,
    component: lazyPage(() => import('./pages/definitions/page'), 'DefinitionsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/catalogs',
    validateSearch: catalogs,
    component: lazyPage(() => import('./pages/catalogs/page'), 'CatalogsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/subscriptions',
    validateSearch: subscriptions,
    component: lazyPage(() => import('./pages/subscriptions/page'), 'SubscriptionsPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/deliveries',
    validateSearch: deliveries,
    component: lazyPage(() => import('./pages/deliveries/page'), 'DeliveriesPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/health',
    validateSearch: health,
    component: lazyPage(() => import('./pages/health/page'), 'HealthPage'),
  }),
  createRoute({
    getParentRoute: () => root,
    path: '/administration/rights',
    validateSearch: rights,
    component: lazyPage(() => import('./pages/rights/page'), 'RightsPage'),
  }),
]);

/** Makes the router of the console. `basepath` is the path of the console on its server. */
export function makeRouter(options: { basepath?: string; history?: RouterHistory } = {}) {
  return createRouter({
    routeTree: tree,
    defaultPreload: false,
    defaultNotFoundComponent: NotFoundPage,
    defaultErrorComponent: FailedPage,
    scrollRestoration: true,
    ...options,
  });
}

declare module '@tanstack/react-router' {
  interface Register {
    router: ReturnType<typeof makeRouter>;
  }
}
