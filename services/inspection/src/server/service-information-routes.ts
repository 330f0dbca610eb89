import { serviceInformationSchema, type ServiceInformation } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import { answers, defineRoute, reply, type AnyRouteDocumentation, type Reply, type RequestContext, type Route } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { MAX_COUNT } from '../shared/documentation.ts';
import { workOf } from '../shared/request-context.ts';

const TAG = 'Service';
const EXAMPLE_TIME = '2026-01-05T08:30:00.000Z';

/** Both addresses give the same answer. */
const INFORMATION = {
  tag: TAG,
  summary: 'What the server is, how much it holds and when that changed',
  responses: {
    200: answers.json('The information', serviceInformationSchema, {
      serverName: 'Sinebar',
      version: '0.1.0',
      securityEnabled: false,
      edition: 'Sinebar',
      partCount: 12,
      characteristicCount: 340,
      measurementCount: 5000,
      valueCount: 1_020_000,
      featureList: ['MeasurementAggregation', 'DistinctMeasurementSearch'],
      inspectionPlanTimestamp: EXAMPLE_TIME,
      measurementTimestamp: EXAMPLE_TIME,
      configurationTimestamp: EXAMPLE_TIME,
      catalogTimestamp: EXAMPLE_TIME,
    }),
  },
  errors: [],
} satisfies AnyRouteDocumentation;

export interface ServerDescription {
  serverName: string;
  version: string;
  securityEnabled: boolean;
}

/** Features that clients look up before they use them (spec: inspection-service.md, ServiceInformation; decisions.md 5.13). */
const FEATURES = [
  'MeasurementAggregation',
  'DistinctMeasurementSearch',
  'MergeAttributes',
  'MergeConditions',
  'CharacteristicsBelowRoot',
  'CatalogAttributesUpdate',
  'MeasurementLimitResultInt32',
];

interface InformationRow {
  inspection_plan_at: Date;
  measurement_at: Date;
  configuration_at: Date;
  catalog_at: Date;
  part_count: string | null;
  characteristic_count: string | null;
  measurement_count: string | null;
  value_count: string | null;
}

/** Reads the server state. Writers of measurements do not update its row, because they would wait for each other; deletions do. */
const STATE = `SELECT server_state.*, statistics.*, greatest(measurement_at, (SELECT max(last_modified) FROM measurement)) AS measurement_at
  FROM server_state LEFT JOIN statistics USING (id)`;

export function serviceInformationRoutes(database: Database, server: ServerDescription): Route[] {
  const information = async ({ context }: { context: RequestContext }): Promise<Reply> => {
    const [row] = await database.read(workOf(context), (session) =>
      session.query<InformationRow>(STATE, [], { name: 'service-information' }),
    );
    if (!row) throw new Error('the row of the server state is missing');
    const count = (text: string | null) => (text === null ? -1 : Math.min(Number(text), MAX_COUNT));
    return reply.json({
      ...server,
      edition: 'Sinebar',
      partCount: count(row.part_count),
      characteristicCount: count(row.characteristic_count),
      measurementCount: count(row.measurement_count),
      valueCount: count(row.value_count),
      featureList: FEATURES,
      inspectionPlanTimestamp: row.inspection_plan_at.toISOString(),
      measurementTimestamp: row.measurement_at.toISOString(),
      configurationTimestamp: row.configuration_at.toISOString(),
      catalogTimestamp: row.catalog_at.toISOString(),
    } satisfies ServiceInformation);
  };
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest',
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Versions of the interface for plan and measurements',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.dataService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.dataService })),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/serviceInformation',
      permission: 'open',
      deadline: 'read',
      documentation: INFORMATION,
      handle: information,
    }),
    // The .NET SDK up to version 6 requests this address.
    defineRoute({
      method: 'GET',
      path: '/oAuthServiceRest/serviceInformation',
      permission: 'open',
      deadline: 'read',
      documentation: {
        ...INFORMATION,
        description: 'As at the address of the data service: early clients ask here before they sign in',
      },
      handle: information,
    }),
  ];
}
