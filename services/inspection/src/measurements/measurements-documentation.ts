import { measurementSchema, measurementWithValuesAnswerSchema } from '@sinebar/contracts';
import { answers, type AnyRouteDocumentation } from '@sinebar/http';
import { z } from 'zod';
import { CHARACTERISTIC_UUID, PART_UUID } from '../shared/documentation.js';
import { measurementsWithValuesSchema } from './codec/sent-measurement.js';
import { measurementParameters, MEASUREMENT_UUID } from './selection/measurement-parameters-documentation.js';

const [MEASUREMENTS, VALUES] = ['Measurements', 'Values'];
const sent = { uuid: MEASUREMENT_UUID, partUuid: PART_UUID, attributes: { '4': '2026-01-05T08:30:00Z' } };
const stored = { ...sent, lastModified: '2026-01-05T08:30:01.120Z', created: '2026-01-05T08:30:01.120Z' };
const characteristics = { [CHARACTERISTIC_UUID]: { '1': '20.010' } };
const errors = ['NotFound', 'AlreadyExists', 'Conflict'] as const;
const parameters = measurementParameters;

export const measurementsDocumentation = {
  list: {
    tag: MEASUREMENTS,
    summary: 'Read measurements without their values',
    description: 'All conditions have to be met. Long answers are sent while they are read.',
    parameters,
    responses: { 200: answers.json('The measurements, in the order that was asked for', z.array(measurementSchema), [stored]) },
    errors: ['NotFound'],
  },
  get: {
    tag: MEASUREMENTS,
    summary: 'Read one measurement without its values',
    parameters,
    responses: { 200: answers.json('The measurement', measurementSchema, stored) },
    errors: ['NotFound'],
  },
  distinctValues: {
    tag: MEASUREMENTS,
    summary: 'Read the different values of an attribute of measurements',
    parameters,
    responses: {
      200: answers.json('The values, each once; measurements without one give an empty text', z.array(z.string()), ['4711', '']),
    },
    errors: ['NotFound'],
  },
  create: {
    tag: MEASUREMENTS,
    summary: 'Create measurements without values',
    description: 'All or none. Values in the body are ignored.',
    body: { description: 'The new measurements', example: [sent] },
    responses: { 201: answers.created },
    errors,
  },
  replace: {
    tag: MEASUREMENTS,
    summary: 'Replace the attributes of measurements',
    description: 'All or none. The values stay as they are.',
    body: { description: 'The measurements, found by their uuids, with all their attributes', example: [sent] },
    responses: { 200: answers.done },
    errors,
  },
  delete: {
    tag: MEASUREMENTS,
    summary: 'Delete measurements',
    description: `What is selected, in one piece or not at all; without a selection all measurements. With \`runAsync\` the answer comes at once and names the operation in
\`Location\`. An unknown parameter is refused.`,
    parameters: {
      ...parameters,
      deep: {
        description: 'Whether parts below are meant, too: true, false, DeleteDeep or DeleteForCurrentPartOnly; by default false',
        example: 'false',
      },
      runAsync: { description: 'Delete in the background; by default false', example: 'false' },
    },
    responses: {
      200: answers.done,
      202: {
        description: 'The deletion goes on in the background; the answer has no body',
        headers: {
          Location: {
            description: 'Where the operation is found',
            example: 'http://127.0.0.1:8080/dataServiceRest/pendingOperations/7b0c1d2e-3f40-4a5b-8c6d-9e0f1a2b3c4d',
          },
        },
      },
    },
    errors,
  },
  deleteOne: {
    tag: MEASUREMENTS,
    summary: 'Delete one measurement with its values',
    parameters,
    responses: { 200: answers.done },
    errors,
  },
} satisfies Record<string, AnyRouteDocumentation>;

const valuesBody = {
  description: 'Measurements with their values, by uuid of the characteristic and key of the value attribute',
  schema: measurementsWithValuesSchema,
  example: [{ ...sent, characteristics }],
};
const withValues = { ...stored, characteristics };

export const valuesDocumentation = {
  list: {
    tag: VALUES,
    summary: 'Read measurements with their values',
    description:
      'All conditions have to be met. Values come as they were written, digit by digit. Long answers are sent while they are read.',
    parameters,
    responses: {
      200: answers.json('The measurements, in the order that was asked for', z.array(measurementWithValuesAnswerSchema), [withValues]),
    },
    errors: ['NotFound'],
  },
  get: {
    tag: VALUES,
    summary: 'Read one measurement with its values',
    parameters,
    responses: { 200: answers.json('The measurement', measurementWithValuesAnswerSchema, withValues) },
    errors: ['NotFound'],
  },
  create: {
    tag: VALUES,
    summary: 'Create measurements with values',
    description: 'All or none.',
    body: valuesBody,
    responses: { 201: answers.created },
    errors,
  },
  replace: {
    tag: VALUES,
    summary: 'Replace measurements with their values',
    description: 'All or none. Values that are not sent are gone.',
    body: valuesBody,
    responses: { 200: answers.done },
    errors,
  },
} satisfies Record<string, AnyRouteDocumentation>;
