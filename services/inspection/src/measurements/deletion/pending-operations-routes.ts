import { randomUUID } from 'node:crypto';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import { operationStateSchema, ServiceError } from '@sinebar/contracts';
import type { Database } from '@sinebar/database';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../../shared/request-context.js';
import type { ConfigurationReader } from '../../configuration/configuration.js';
import { admitDeletion, type DeletionCaller } from './measurement-deletion-service.js';
import { selectionStatement, type MeasurementSelection } from '../selection/measurement-selection.js';
import { sharePlan } from '../../shared/plan-lock.js';
import type { PendingOperationJob } from './pending-operation-job.js';
import { PendingOperationStore } from './pending-operation-store.js';

export interface PendingOperationsDependencies {
  database: Database;
  configurations: ConfigurationReader;
  job: PendingOperationJob;
  now: () => Date;
}

/** Time for which a request waits for the end of an operation before it answers `Running`, milliseconds. */
const WAIT_MS = 10_000;
/** Interval of looks for the end of an operation that another process carries out, milliseconds. */
const POLL_INTERVAL_MS = 1000;
const ADDRESS = '/dataServiceRest/pendingOperations';
const EXAMPLE_UUID = '7b0c1d2e-3f40-4a5b-8c6d-9e0f1a2b3c4d';

/** Starts operations. spec: decisions.md 5.7 */
export class PendingOperations {
  private readonly deps: PendingOperationsDependencies;

  constructor(deps: PendingOperationsDependencies) {
    this.deps = deps;
  }

  /**
   * Starts a deletion in the background. It deletes measurements that match when it begins and that existed at the time of the request.
   * @returns path of the operation
   * @throws ServiceError of the checks that can be made at once
   */
  async deleteMeasurements(selection: MeasurementSelection, caller: DeletionCaller, requestId: string): Promise<string> {
    const { database, configurations, job, now } = this.deps;
    const { principal, ...options }: { principal: Principal } & DeletionCaller = caller;
    const uuid = randomUUID();
    await database.write(options, async (session) => {
      await sharePlan(session);
      const rights = await admitDeletion(session, selection, principal);
      // Throws for a search condition that does not fit the configuration.
      selectionStatement(selection, rights.readable, await configurations.read(session), 'm.id AS id');
      await new PendingOperationStore(session).add(uuid, { selection, ...rights, requestedBy: userKeyOf(principal) }, requestId, now());
    });
    job.wake();
    return `${ADDRESS}/${uuid}`;
  }
}

/** Operations are visible to the caller who requested them, and to callers who may delete every measurement. spec: decisions.md 5.7, 8.3 */
export function pendingOperationsRoutes(database: Database, { ended }: Pick<PendingOperationJob, 'ended'>): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${ADDRESS}/:uuid`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: 'Measurements',
        summary: 'How far a deletion in the background is',
        description: 'Waits up to ten seconds for its end. Finished operations are known for a day.',
        parameters: { uuid: { description: 'As `Location` named it', example: EXAMPLE_UUID } },
        responses: {
          200: answers.json('The state of the operation', operationStateSchema, {
            OperationUuid: EXAMPLE_UUID,
            ExecutionStatus: 'Finished',
            Exception: null,
          }),
        },
        errors: ['NotFound', 'Forbidden'],
      },
      params: z.object({ uuid: uuidParameter }),
      handle: async ({ params: { uuid }, context }) => {
        const requester = await database.read(workOf(context), (session) => new PendingOperationStore(session).requesterOf(uuid));
        if (requester != null && requester !== userKeyOf(context.principal) && !context.principal.scopeOf('measurement:write').includes(''))
          throw new ServiceError('Forbidden', `the pending operation ${uuid} was asked for by somebody else`);
        const until = performance.now() + WAIT_MS;
        for (;;) {
          const { version } = ended;
          const state = await database.read(workOf(context), (session) => new PendingOperationStore(session).state(uuid));
          if (!state) throw new ServiceError('NotFound', `there is no pending operation ${uuid}`);
          if (state.ExecutionStatus !== 'Running' || performance.now() >= until) return reply.json(state);
          await ended.waitFor(version, AbortSignal.any([context.signal, AbortSignal.timeout(POLL_INTERVAL_MS)]));
        }
      },
    }),
  ];
}
