import { importedAlarmsSchema } from '@sinebar/contracts';
import { answers, defineRoute, reply, type Route } from '@sinebar/http';
import { callerOf } from '../../shared/request-context.ts';
import { IMPORTED_ALARMS_BODY, IMPORTED_ALARMS_EXAMPLE } from '../alarm-examples.ts';
import type { AlarmImportService } from './alarm-import-service.ts';
import { alarmImportBody } from './imported-alarm-body.ts';

/** Alarms that come from another server. */
export function alarmImportRoutes(service: AlarmImportService): Route[] {
  return [
    defineRoute({
      method: 'POST',
      path: '/alarmServiceRest/alarms',
      permission: 'measurement:write',
      deadline: 'write',
      documentation: {
        tag: 'Alarms',
        summary: 'Take over alarms of another server',
        description:
          'Stores alarms as `GET /alarms/{uuid}` of another server gave them, in one transaction, and tells nobody. An alarm whose uuid is known stays as it is; one whose values belong to another alarm is refused. `replaces` names alarms that the values raised here, during a stop that the caller planned, and about which nobody has said anything. Names of users are kept where the caller holds `policy:write`; else the caller has done everything.',
        body: { description: 'The alarms, the oldest first, and those to replace; at most 500 each', example: IMPORTED_ALARMS_BODY },
        responses: { 200: answers.json('What was stored, deleted and refused', importedAlarmsSchema, IMPORTED_ALARMS_EXAMPLE) },
        errors: [],
      },
      body: alarmImportBody,
      handle: async (request) => reply.json(await service.store(request.body, callerOf(request))),
    }),
  ];
}
