import { interfaceInformationSchema, serviceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';

const tag = 'Service';
const at = '2026-01-05T08:30:00.000Z';

const information = {
  tag,
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
      inspectionPlanTimestamp: at,
      measurementTimestamp: at,
      configurationTimestamp: at,
      catalogTimestamp: at,
    }),
  },
  errors: [],
} satisfies AnyRouteDocumentation;

export const serviceInformationDocumentation = {
  versions: {
    tag,
    summary: 'Versions of the interface for plan and measurements',
    responses: {
      200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.dataService }),
    },
    errors: [],
  },
  get: information,
  getForSignIn: { ...information, description: 'As at the address of the data service: early clients ask here before they sign in' },
} satisfies Record<string, AnyRouteDocumentation>;
