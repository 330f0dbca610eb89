import { measurementSchema } from '@sinebar/contracts';
import { answers, defineRoute, uuidParameter, type Route } from '@sinebar/http';
import { isAttributeKey } from '@sinebar/query-language';
import { z } from 'zod';
import { countSchema } from '../../shared/documentation.ts';
import { readerOf } from '../../shared/request-context.ts';
import { attributeSelectionParameter, selectionOf } from '../../shared/parameters.ts';
import {
  aggregationParameter,
  countedSelectionQuery,
  limitedSelectionQuery,
  measurementSelection,
  measurementSelectionQuery,
  NOT_COUNTED,
  statisticsParameter,
} from '../selection/measurement-parameters.ts';
import type { MeasurementReadModel } from './measurement-read-model.ts';
import { STORED_MEASUREMENT } from '../measurements-examples.ts';
import { MEASUREMENT_PARAMETERS, MEASUREMENTS_TAG } from '../measurements-parameter-texts.ts';

export interface MeasurementReadRouteDependencies {
  reads: MeasurementReadModel;
  /** Default of `caseSensitive` for requests without it. */
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
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Read measurements without their values',
        description: 'All conditions have to be met. Long answers are sent while they are read.',
        parameters: MEASUREMENT_PARAMETERS,
        responses: {
          200: answers.json('The measurements, in the order that was asked for', z.array(measurementSchema), [STORED_MEASUREMENT]),
        },
        errors: ['NotFound'],
      },
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
      path: '/dataServiceRest/measurements/count',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Count measurements',
        description: 'All conditions have to be met. Order, limits and merging of the list are 400.',
        parameters: MEASUREMENT_PARAMETERS,
        responses: { 200: answers.json('How many the caller may read', countSchema, { count: 5000 }) },
        errors: ['NotFound'],
      },
      query: z.object(countedSelectionQuery),
      refusedParameters: NOT_COUNTED,
      handle: (request) => reads.count(measurementSelection(request.query, caseSensitive), readerOf(request, 'measurements/count')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/measurements/:uuid',
      permission: 'measurement:read',
      deadline: 'read',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Read one measurement without its values',
        parameters: MEASUREMENT_PARAMETERS,
        responses: { 200: answers.json('The measurement', measurementSchema, STORED_MEASUREMENT) },
        errors: ['NotFound'],
      },
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
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Read the different values of an attribute of measurements',
        parameters: MEASUREMENT_PARAMETERS,
        responses: {
          200: answers.json('The values, each once; measurements without one give an empty text', z.array(z.string()), ['4711', '']),
        },
        errors: ['NotFound'],
      },
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
