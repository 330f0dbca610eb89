import { measurementWithValuesAnswerSchema } from '@sinebar/contracts';
import { answers, defineRoute, uuidListParameter, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { readerOf } from '../../shared/request-context.ts';
import { attributeSelectionParameter, selectionOf } from '../../shared/parameters.ts';
import { aggregationParameter, measurementSelection, measurementSelectionQuery } from '../selection/measurement-parameters.ts';
import type { MeasurementView } from './measurement-rows.ts';
import type { MeasurementReadRouteDependencies } from './measurements-read-routes.ts';
import { CHARACTERISTIC_VALUES, STORED_MEASUREMENT } from '../measurements-examples.ts';
import { MEASUREMENT_PARAMETERS, VALUES_TAG } from '../measurements-parameter-texts.ts';

const STORED_WITH_VALUES = { ...STORED_MEASUREMENT, characteristics: CHARACTERISTIC_VALUES };

const viewQuery = {
  requestedMeasurementAttributes: attributeSelectionParameter.optional(),
  requestedValueAttributes: attributeSelectionParameter.optional(),
  characteristicUuids: uuidListParameter.optional(),
};
const keepEmpty = ['requestedMeasurementAttributes', 'requestedValueAttributes'];

function viewOf(query: z.output<z.ZodObject<typeof viewQuery>>): MeasurementView {
  return {
    measurementAttributes: selectionOf(query.requestedMeasurementAttributes),
    statistics: 'none',
    values: { attributes: selectionOf(query.requestedValueAttributes), characteristicUuids: query.characteristicUuids },
  };
}

/** spec: inspection-service.md, Values */
export function valuesReadRoutes({ reads, caseSensitive }: MeasurementReadRouteDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/values',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      documentation: {
        tag: VALUES_TAG,
        summary: 'Read measurements with their values',
        description:
          'All conditions have to be met. Values come as they were written, digit by digit. Long answers are sent while they are read.',
        parameters: MEASUREMENT_PARAMETERS,
        responses: {
          200: answers.json('The measurements, in the order that was asked for', z.array(measurementWithValuesAnswerSchema), [
            STORED_WITH_VALUES,
          ]),
        },
        errors: ['NotFound'],
      },
      query: z.object({ ...measurementSelectionQuery, ...viewQuery }),
      keepEmpty,
      handle: (request) =>
        reads.list(measurementSelection(request.query, caseSensitive), viewOf(request.query), readerOf(request, 'values')),
    }),
    defineRoute({
      method: 'GET',
      path: '/dataServiceRest/values/:uuid',
      permission: 'measurement:read',
      deadline: 'read',
      documentation: {
        tag: VALUES_TAG,
        summary: 'Read one measurement with its values',
        parameters: MEASUREMENT_PARAMETERS,
        responses: { 200: answers.json('The measurement', measurementWithValuesAnswerSchema, STORED_WITH_VALUES) },
        errors: ['NotFound'],
      },
      params: z.object({ uuid: uuidParameter }),
      query: z.object({ ...viewQuery, aggregation: aggregationParameter.optional() }),
      keepEmpty,
      handle: (request) => reads.get(request.params.uuid, request.query.aggregation, viewOf(request.query), readerOf(request, 'value')),
    }),
  ];
}
