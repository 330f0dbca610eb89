import { keptReportListSchema, keptReportSchema, reportTemplateListSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, uuidParameter, type PerUserQueue, type Route, type RouteRequest } from '@sinebar/http';
import { interfaceInformationSchema, SUPPORTED_VERSIONS } from '@sinebar/runtime';
import { z } from 'zod';
import type { AnalysisReader } from '../analysis/analysis-queue.ts';
import { PART_UUID } from '../shared/documentation.ts';
import { wholeNumberParameter } from '../shared/parameters.ts';
import { callerOf, readerOf } from '../shared/request-context.ts';
import { reportBody } from './report-body.ts';
import { KEPT_REPORT_EXAMPLE, REPORT_ORDER, TEMPLATE_EXAMPLE } from './report-examples.ts';
import type { ReportService } from './report-service.ts';
import type { ReportTemplates } from './report-templates.ts';
import type { ReportTurns } from './writing/report-turns.ts';

export interface ReportRouteDependencies {
  service: ReportService;
  templates: ReportTemplates;
  /** Reports that one user makes at the same time. */
  queue: PerUserQueue;
  turns: ReportTurns;
}

const TAG = 'Reports';
const PATH = '/reportServiceRest';
const DEFAULT_LIMIT = 100;
const MAX_LIMIT = 1000;
const FILE = { description: 'The report', content: { schema: z.string(), example: '%PDF-1.7', contentType: 'application/pdf' } };

const address = z.object({ uuid: uuidParameter });
const parameters = { uuid: { description: 'Uuid of the report', example: KEPT_REPORT_EXAMPLE.uuid } };
const listQuery = z.object({
  limitResult: wholeNumberParameter(1, MAX_LIMIT).default(DEFAULT_LIMIT),
  partUuid: uuidParameter.optional(),
});

/** A report takes its turn as a whole, so that what it reads needs none. */
function reportReader(request: RouteRequest<unknown, unknown, unknown>): AnalysisReader {
  return { ...readerOf(request, 'report'), readInTurn: (read) => read() };
}

/** Waits for the turn of its user, and then for that of the server. @returns a function that ends both, which may be called twice */
async function enterOnce(
  { queue, turns }: Pick<ReportRouteDependencies, 'queue' | 'turns'>,
  { context: { principal, signal }, stream }: RouteRequest<unknown, unknown, unknown>,
): Promise<() => void> {
  const leaveQueue = await queue.enter(principal, stream, signal);
  const endTurn = await turns.enterSoon(signal).catch((error: unknown) => {
    leaveQueue();
    throw error;
  });
  let isIn = true;
  return () => {
    if (!isIn) return;
    isIn = false;
    endTurn();
    leaveQueue();
  };
}

/** Reports as PDF, and those that are kept. spec: decisions.md 13.1-13.4 */
export function reportRoutes({ service, templates, queue, turns }: ReportRouteDependencies): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: PATH,
      permission: 'open',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'Versions of the interface for reports',
        responses: {
          200: answers.json('The versions', interfaceInformationSchema, { supportedVersions: SUPPORTED_VERSIONS.reportService }),
        },
        errors: [],
      },
      handle: () => Promise.resolve(reply.json({ supportedVersions: SUPPORTED_VERSIONS.reportService })),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/templates`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        summary: 'List the templates of reports',
        description: 'Lists those that the product brings along and those of the plant.',
        responses: { 200: answers.json('The templates', reportTemplateListSchema, [TEMPLATE_EXAMPLE]) },
        errors: [],
      },
      handle: async () => reply.json(await templates.list()),
    }),
    defineRoute({
      method: 'POST',
      path: `${PATH}/reports`,
      permission: 'measurement:read',
      deadline: 'long',
      documentation: {
        tag: TAG,
        summary: 'Make a report',
        description:
          'Makes a report of a part, of some of its characteristics, or of one of its measurements. What the caller may not read is not in the report, which then says that it is not whole. The PDF is sent while it is written; with `keep` it is written in the background and kept.',
        body: { description: 'Template, what the report is about, period and language', example: REPORT_ORDER },
        responses: {
          200: FILE,
          202: answers.json('The report is written in the background; `uuid` names it', z.object({ uuid: z.string() }), {
            uuid: KEPT_REPORT_EXAMPLE.uuid,
          }),
        },
        errors: ['NotFound', 'TooManyRequests'],
      },
      body: reportBody,
      handle: async (request) => {
        const { context, body } = request;
        const leave = await enterOnce({ queue, turns }, request);
        try {
          if (body.keep) {
            const { uuid, ended } = await service.keep(body, reportReader(request));
            void ended.finally(leave);
            return reply.json({ uuid }, 202, { Location: `${PATH}/reports/${uuid}` });
          }
          const { headers, write } = await service.make(body, reportReader(request));
          // The client may go before the first byte is written.
          context.signal.addEventListener('abort', leave, { once: true });
          return reply.stream(headers, (sink, signal) => write(sink, signal).finally(leave));
        } catch (error) {
          leave();
          throw error;
        }
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/reports`,
      permission: 'signed-in',
      deadline: 'read',
      knowsAllParameters: true,
      documentation: {
        tag: TAG,
        summary: 'List kept reports',
        description: 'Lists the newest first: the own ones, and those of others that are whole and hold only what the caller may read.',
        parameters: {
          limitResult: { description: `Most reports, at most ${MAX_LIMIT}; by default ${DEFAULT_LIMIT}`, example: '20' },
          partUuid: { description: 'Only reports of this part', example: PART_UUID },
        },
        responses: { 200: answers.json('The reports', keptReportListSchema, [KEPT_REPORT_EXAMPLE]) },
        errors: [],
      },
      query: listQuery,
      handle: async (request) => {
        const { limitResult: limit, partUuid } = request.query;
        return reply.json(await service.list({ limit, partUuid }, callerOf(request)));
      },
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/reports/:uuid`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read what is known of a kept report',
        responses: { 200: answers.json('The report', keptReportSchema, KEPT_REPORT_EXAMPLE) },
        errors: ['NotFound'],
      },
      params: address,
      handle: async (request) => reply.json(await service.read(request.params.uuid, callerOf(request))),
    }),
    defineRoute({
      method: 'GET',
      path: `${PATH}/reports/:uuid/content`,
      permission: 'signed-in',
      deadline: 'long',
      contentCoding: 'identity',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Read the bytes of a kept report',
        responses: { 200: FILE },
        errors: ['NotFound', 'Conflict'],
      },
      params: address,
      handle: (request) => service.content(request.params.uuid, callerOf(request)),
    }),
    defineRoute({
      method: 'DELETE',
      deletes: 'item',
      path: `${PATH}/reports/:uuid`,
      permission: 'signed-in',
      deadline: 'write',
      documentation: {
        tag: TAG,
        parameters,
        summary: 'Delete a kept report',
        description: 'Deletes an own report; those of others need the right `policy:write`.',
        responses: { 200: answers.done },
        errors: ['NotFound'],
      },
      params: address,
      handle: async (request) => {
        await service.delete(request.params.uuid, callerOf(request));
        return reply.empty();
      },
    }),
  ];
}
