import { answers, defineRoute, reply, type RequestContext, type Route } from '@sinebar/http';
import { workOf } from '../../shared/request-context.ts';
import { measurementsSchema, measurementsWithValuesSchema } from '../codec/sent-measurement.ts';
import type { MeasurementWriter, MeasurementWriteService } from './measurement-write-service.ts';
import { CHARACTERISTIC_VALUES, SENT_MEASUREMENT } from '../measurements-examples.ts';
import { MEASUREMENT_CHANGE_ERRORS, MEASUREMENTS_TAG, VALUES_TAG } from '../measurements-parameter-texts.ts';

const VALUES_BODY = {
  description: 'Measurements with their values, by uuid of the characteristic and key of the value attribute',
  schema: measurementsWithValuesSchema,
  example: [{ ...SENT_MEASUREMENT, characteristics: CHARACTERISTIC_VALUES }],
};

/** spec: inspection-service.md, Measurements POST and PUT, Values POST and PUT */
export function measurementsWriteRoutes(measurements: MeasurementWriteService): Route[] {
  const writer = (context: RequestContext): MeasurementWriter => ({ ...workOf(context), principal: context.principal });
  const shared = { permission: 'measurement:write', deadline: 'write' } as const;
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/dataServiceRest/measurements',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Create measurements without values',
        description: 'All or none. Values in the body are ignored.',
        body: { description: 'The new measurements', example: [SENT_MEASUREMENT] },
        responses: { 201: answers.created },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      body: measurementsSchema,
      handle: async ({ body, context }) => {
        await measurements.create(body, writer(context));
        return reply.empty(201);
      },
    }),
    defineRoute({
      ...shared,
      method: 'PUT',
      path: '/dataServiceRest/measurements',
      documentation: {
        tag: MEASUREMENTS_TAG,
        summary: 'Replace the attributes of measurements',
        description: 'All or none. The values stay as they are.',
        body: { description: 'The measurements, found by their uuids, with all their attributes', example: [SENT_MEASUREMENT] },
        responses: { 200: answers.done },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      body: measurementsSchema,
      handle: async ({ body, context }) => {
        await measurements.replace(body, 'attributes', writer(context));
        return reply.empty();
      },
    }),
    defineRoute<unknown, unknown, Buffer>({
      ...shared,
      method: 'POST',
      path: '/dataServiceRest/values',
      documentation: {
        tag: VALUES_TAG,
        summary: 'Create measurements with values',
        description: 'All or none.',
        body: VALUES_BODY,
        responses: { 201: answers.created },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      body: 'bytes',
      handle: async ({ body, context }) => {
        await measurements.createFrom(body, writer(context));
        return reply.empty(201);
      },
    }),
    defineRoute<unknown, unknown, Buffer>({
      ...shared,
      method: 'PUT',
      path: '/dataServiceRest/values',
      documentation: {
        tag: VALUES_TAG,
        summary: 'Replace measurements with their values',
        description: 'All or none. Values that are not sent are removed.',
        body: VALUES_BODY,
        responses: { 200: answers.done },
        errors: MEASUREMENT_CHANGE_ERRORS,
      },
      body: 'bytes',
      handle: async ({ body, context }) => {
        await measurements.replaceFrom(body, writer(context));
        return reply.empty();
      },
    }),
  ];
}
