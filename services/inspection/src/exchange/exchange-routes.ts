import { importAnswerSchema, importRefusalSchema, ServiceError } from '@sinebar/contracts';
import {
  answers,
  booleanParameter,
  decompressedBody,
  defineRoute,
  errorReply,
  grammarParameter,
  refuseForm,
  reply,
  type PerUserQueue,
  type Route,
} from '@sinebar/http';
import type { DateOrder } from '@sinebar/exchange';
import { parseUnmarkedPath } from '@sinebar/query-language';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { z } from 'zod';
import { MEASUREMENT_PARAMETERS } from '../measurements/measurements-parameter-texts.ts';
import { wordParameter } from '../measurements/selection/measurement-parameters.ts';
import { callerOf, readerOf, workOf } from '../shared/request-context.ts';
import { IMPORT_ANSWER, IMPORT_REFUSAL, MAPPING_EXAMPLE, SMALL_FILE } from './exchange-examples.ts';
import { exportQuery, exportSelection, tableForm, zoneParameter } from './exports/export-parameters.ts';
import { encodingParameter, mappingParameter } from './imports/import-parameters.ts';
import type { MappingService } from './mappings/mapping-service.ts';
import type { ExportService } from './exports/export-service.ts';
import type { ImportOperations } from './imports/import-operations.ts';
import { refusal } from './imports/import-refusal.ts';
import type { ImportFormat } from './imports/import-request.ts';
import type { ImportService } from './imports/import-service.ts';
import type { OnDifference } from './imports/plan/plan-changes.ts';

const TAG = 'Files';

const importQuery = {
  format: wordParameter<ImportFormat>({ aqdef: 'aqdef', calypso: 'calypso', csv: 'csv', xlsx: 'xlsx' }),
  partPath: grammarParameter(parseUnmarkedPath).default([]),
  zone: zoneParameter.optional(),
  dateOrder: wordParameter<DateOrder>({ dmy: 'dmy', mdy: 'mdy', ymd: 'ymd' }).optional(),
  encoding: encodingParameter.optional(),
  mapping: mappingParameter.optional(),
  dryRun: booleanParameter.default(false),
  skipBad: booleanParameter.default(false),
  ignoreUndefined: booleanParameter.default(false),
  fill: booleanParameter.default(true),
  onDifference: wordParameter<OnDifference>({ keep: 'keep', update: 'update', refuse: 'refuse' }).default('keep'),
  runAsync: booleanParameter.default(false),
};

export interface ExchangeRouteDependencies {
  imports: ImportService;
  operations: ImportOperations;
  /** Limits what one user imports at the same time. */
  queue: PerUserQueue;
  exports: ExportService;
  mappings: MappingService;
  caseSensitive: boolean;
  /** Order of dates with slashes in imported files, where a request names none. */
  dateOrder: DateOrder | undefined;
}

/** Files in and out. spec: exchange interface, version 1.0.0 */
export function exchangeRoutes({
  imports,
  operations,
  queue,
  exports,
  mappings,
  caseSensitive,
  dateOrder: usualDateOrder,
}: ExchangeRouteDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/exchangeServiceRest',
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Versions of the interface for files',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.exchangeService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.exchangeService })),
    }),
    defineRoute({
      method: 'GET',
      path: '/exchangeServiceRest/values',
      permission: 'measurement:read',
      isSearch: true,
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Read measured values as a file',
        description:
          'All conditions have to be met. CSV, Excel and Parquet have one row for each value, or with `layout=wide` one for each measurement. The file is sent while it is read.',
        parameters: {
          ...MEASUREMENT_PARAMETERS,
          format: { description: 'csv, parquet, aqdef or xlsx, which has at most 1,048,576 rows', example: 'csv' },
          layout: {
            description: 'Of tables: long (one row for each value; default) or wide (one row for each measurement)',
            example: 'long',
          },
          header: {
            description:
              'Of tables: keys (columns of attributes have their keys, those with texts of catalogs such as K0010; default), names (their names), or both (the names, and the keys in a second row). Imports read each of them',
            example: 'names',
          },
          language: { description: 'Language of the names that the server knows: en (default) or de', example: 'de' },
          separator: { description: 'Between the fields of CSV: comma (default), semicolon or tab', example: 'semicolon' },
          decimal: { description: 'Decimal separator of CSV: point (default), or comma with another separator', example: 'comma' },
          zone: {
            description: 'Zone of the times in an AQDEF file; UTC when left out. Times of tables are in UTC',
            example: 'Europe/Berlin',
          },
          from: { description: 'Measured at this time or later', example: '2026-01-01T00:00:00Z' },
          to: { description: 'Measured before this time', example: '2027-01-01T00:00:00Z' },
          modifiedAfter: { description: 'Modified after this time', example: '2026-01-01T00:00:00Z' },
        },
        responses: {
          200: {
            description: 'The file',
            content: { schema: z.string(), example: 'measurement,time,part,characteristic,value\r\n', contentType: 'text/csv' },
          },
        },
        errors: [],
      },
      query: z.object(exportQuery),
      handle: (request) => {
        const { format, layout = 'long', zone = 'UTC', characteristicUuids } = request.query;
        const selection = { ...exportSelection(request.query, caseSensitive), characteristicUuids };
        return Promise.resolve(
          exports.export({ format, layout, zone, table: tableForm(request.query) }, selection, readerOf(request, 'export')),
        );
      },
    }),
    defineRoute({
      method: 'POST',
      path: '/exchangeServiceRest/imports',
      permission: 'measurement:write',
      deadline: 'upload',
      documentation: {
        tag: TAG,
        summary: 'Import a file',
        description:
          'Stores all measurements or none. Parts and characteristics are found by number and name and created where they are missing; those that are there get the attributes that they lack. Standard attributes are defined for kinds of entity that have no other ones, if the caller may do so. Content that was imported below the same part before is not stored again; its plan is filled.',
        parameters: {
          format: {
            description:
              'aqdef: a DFQ file, or a DFD file followed by its DFX file; calypso: a table `_chr.txt`, after its `_hdr.txt` where there is one; csv, xlsx: a table',
            example: 'aqdef',
          },
          partPath: {
            description:
              'The part below which the parts of the file stand, and the part of the values of a table that names none; the root when left out',
            example: '/Line/Pump',
          },
          zone: { description: 'Zone of the times in the file; UTC when left out', example: 'Europe/Berlin' },
          dateOrder: {
            description:
              'Order of day, month and year in dates with slashes: dmy, mdy or ymd. When left out, the setting SINEBAR_DATE_ORDER, else that of the format: month first in AQDEF, and in tables what a number above 12 shows',
            example: 'dmy',
          },
          encoding: {
            description:
              'Encoding of a text file, a label of TextDecoder; a byte order mark takes precedence. When left out it is found: UTF-8, UTF-16, else Windows-1252 with a warning',
            example: 'gbk',
          },
          mapping: {
            description:
              'What the columns of a table hold, as JSON; its schema is `TableMapping`; or `@name`, one that is kept by name. Without it columns are found by the names that exports give them. It also decides what cells mean that may mean two things: `decimal`, `dateOrder`, `headerRow`, `sheet`',
            example: MAPPING_EXAMPLE,
          },
          dryRun: {
            description:
              'Whether nothing is stored; the answer then says what would be, and of a table in `table`, how it was read: send a mapping made of it to correct that',
            example: 'true',
          },
          runAsync: {
            description: 'Whether the answer comes as soon as the file is received, and the import continues in the background',
            example: 'false',
          },
          skipBad: { description: 'Whether measurements with errors are left out instead of the whole file', example: 'false' },
          ignoreUndefined: {
            description:
              'Whether what the server has no attribute for is left out: limits, nominal and target value, unit, type of characteristic and time, too. No attribute is defined then',
            example: 'false',
          },
          fill: {
            description: 'Whether parts and characteristics that are there get attributes of the file that they lack; true when left out',
            example: 'true',
          },
          onDifference: {
            description:
              'What happens to attributes that differ from those of the file: keep (default; with a warning), update, or refuse the file with 409',
            example: 'keep',
          },
        },
        body: {
          description: 'The bytes of the file itself, never a form; any `Content-Type`',
          schema: z.string(),
          example: SMALL_FILE,
          contentType: '*/*',
        },
        responses: {
          200: answers.json(
            'What a dry run would do, or what an earlier import of the same content did',
            importAnswerSchema,
            IMPORT_ANSWER,
          ),
          201: answers.json('What was stored', importAnswerSchema, IMPORT_ANSWER),
          202: {
            description: 'The file is received and is imported in the background; the answer has no body',
            headers: {
              Location: {
                description: 'Where the operation is found, with its progress in bytes and at the end the answer of the import',
                example: 'http://127.0.0.1:8080/dataServiceRest/pendingOperations/7b0c1d2e-3f40-4a5b-8c6d-9e0f1a2b3c4d',
              },
            },
          },
          400: answers.json('The request or the file has errors, and nothing was stored', importRefusalSchema, IMPORT_REFUSAL),
        },
        errors: ['Conflict', 'BodyTooLarge', 'UnsupportedMediaType'],
      },
      query: z.object(importQuery),
      body: 'stream',
      handle: async (request) => {
        const { query, headers, stream, context } = request;
        refuseForm(headers['content-type']);
        const { format, partPath, zone, dateOrder, encoding, mapping, dryRun, skipBad, ignoreUndefined, fill, onDifference, runAsync } =
          query;
        if (mapping !== undefined && format !== 'csv' && format !== 'xlsx') {
          throw new ServiceError(
            'InvalidRequest',
            `Parameter mapping: The format ${format} has columns of its own. Leave mapping out, or use format=csv or xlsx.`,
          );
        }
        const { principal } = context;
        const used = mapping && 'kept' in mapping ? await mappings.use(mapping.kept, callerOf(request)) : mapping;
        const leave = await queue.enter(principal, stream, context.signal);
        const order = {
          ...workOf(context),
          principal,
          body: { bytes: decompressedBody(stream, context.signal), announcedBytes: Number(headers['content-length'] ?? 0) },
          format,
          partPath,
          reading: { zone, dateOrder: dateOrder ?? usualDateOrder, requestedDateOrder: dateOrder, encoding, mapping: used },
          isDryRun: dryRun,
          skipBad,
          ignoreUndefined,
          fill,
          onDifference,
        };
        if (runAsync) {
          const address = await operations.start(order, context.requestId, leave);
          return reply.empty(202, { Location: `${context.origin}${address}` });
        }
        const outcome = await imports.import(order).finally(leave);
        if (outcome.kind === 'refused') {
          const { errors, warnings, table } = outcome;
          return reply.json({ ...errorReply(refusal(outcome), context.requestId, false).body, errors, warnings, table }, 400);
        }
        return reply.json(outcome.answer, outcome.kind === 'stored' ? 201 : 200);
      },
    }),
  ];
}
