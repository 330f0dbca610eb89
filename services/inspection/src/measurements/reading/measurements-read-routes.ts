import { defineRoute, uuidParameter, type Route } from '@sinebar/http';
import { isAttributeKey } from '@sinebar/query-language';
import { z } from 'zod';
import { readerOf } from '../../shared/request-context.js';
import { attributeSelectionParameter, selectionOf } from '../../shared/parameters.js';
import {
  aggregationParameter,
  limitedSelectionQuery,
  measurementSelection,
  measurementSelectionQuery,
  statisticsParameter,
} from '../selection/measurement-parameters.js';
import type { MeasurementReadModel } from './measurement-read-model.js';
import { measurementsDocumentation } from '../measurements-documentation.js';

export interface MeasurementReadRouteDependencies {
  reads: MeasurementReadModel;
  /** Whether texts compare with case where a request does not say. */
  caseSensitive: boolean;
}

const viewQuery = {
  requestedMeasurementAttributes: attributeSelectionParameter.optional(),
  statistics: statisticsParameter.default('none'),
};
const keepEmpty = ['requestedMeasurementAttributes'];

const keyParameter = z
  .string('the key of a measurement attribute is needed')
  .refine((text) => isAttributeKey(text.trim()), 'must be the key of an attribute, a whole number from 0 to 65535')
  .transform(Number);

/** spec: inspection-service.md, Measurements */
export function measurementsReadRoutes({ reads, caseSensitive }: MeasurementReadRouteDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/measurements',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      documentation: measurementsDocumentation.list,
      query: z.object({ ...measurementSelectionQuery, ...viewQuery }),
      keepEmpty,
      handle: (request) => {
        const { requestedMeasurementAttributes, statistics } = request.query;
        const view = { measurementAttributes: selectionOf(requestedMeasurementAttributes), statistics };
        return reads.list(measurementSelection(request.query, caseSensitive), view, readerOf(request, 'measurements'));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/measurements/:uuid',
      permission: 'measurement:read',
      deadline: 'read',
      documentation: measurementsDocumentation.get,
      params: z.object({ uuid: uuidParameter }),
      query: z.object({ ...viewQuery, aggregation: aggregationParameter.optional() }),
      keepEmpty,
      handle: (request) => {
        const { requestedMeasurementAttributes, statistics, aggregation } = request.query;
        const view = { measurementAttributes: selectionOf(requestedMeasurementAttributes), statistics };
        return reads.get(request.params.uuid, aggregation, view, readerOf(request, 'measurement'));
      },
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/distinctMeasurementAttributeValues',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      documentation: measurementsDocumentation.distinctValues,
      query: z.object({ ...limitedSelectionQuery, key: keyParameter }),
      handle: (request) =>
        reads.distinctValues(
          request.query.key,
          measurementSelection(request.query, caseSensitive),
          readerOf(request, 'distinctMeasurementAttributeValues'),
        ),
    }),
  ];
}
