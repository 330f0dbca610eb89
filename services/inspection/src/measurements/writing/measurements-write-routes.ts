import { defineRoute, reply, type RequestContext, type Route } from '@sinebar/http';
import { workOf } from '../../shared/request-context.js';
import { measurementsSchema } from '../codec/sent-measurement.js';
import type { MeasurementWriter, MeasurementWriteService } from './measurement-write-service.js';
import { measurementsDocumentation, valuesDocumentation } from '../measurements-documentation.js';

/** spec: inspection-service.md, Measurements POST and PUT, Values POST and PUT */
export function measurementsWriteRoutes(measurements: MeasurementWriteService): Route[] {
  const writer = (context: RequestContext): MeasurementWriter => ({ ...workOf(context), principal: context.principal });
  const shared = { permission: 'measurement:write', deadline: 'write' } as const;
  return [
    defineRoute({
      ...shared,
      method: 'POST',
      path: '/dataServiceRest/measurements',
      documentation: measurementsDocumentation.create,
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
      documentation: measurementsDocumentation.replace,
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
      documentation: valuesDocumentation.create,
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
      documentation: valuesDocumentation.replace,
      body: 'bytes',
      handle: async ({ body, context }) => {
        await measurements.replaceFrom(body, writer(context));
        return reply.empty();
      },
    }),
  ];
}
