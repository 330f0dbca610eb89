import { randomUUID } from 'node:crypto';
import { userKeyOf, type Principal } from '@sinebar/access-control';
import type { Notifier } from '@sinebar/concurrency';
import { operationStateSchema, ServiceError, type OperationState } from '@sinebar/contracts';
import type { Database, WorkOptions } from '@sinebar/database';
import { answers, defineRoute, reply, uuidParameter, type Route } from '@sinebar/http';
import { z } from 'zod';
import { workOf } from '../../shared/request-context.ts';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { admitDeletion, type DeletionCaller } from './measurement-deletion-service.ts';
import { selectionStatement, type MeasurementSelection } from '../selection/measurement-selection.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import type { PendingOperationJob } from './pending-operation-job.ts';
import { PendingOperationStore } from './pending-operation-store.ts';

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
export const PENDING_OPERATIONS = '/dataServiceRest/pendingOperations';
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
    return `${PENDING_OPERATIONS}/${uuid}`;
  }
}

/** Reads operations of one kind. */
export interface OperationReader {
  /** Notified after an operation has ended in this process. */
  ended: Notifier;
  /** @returns the user key of the caller who requested it, `null` where it is unknown; `undefined` when there is no such operation */
  findRequester(uuid: string, options: WorkOptions): Promise<string | null | undefined>;
  /** @returns `undefined` when there is no such operation */
  state(uuid: string, options: WorkOptions): Promise<OperationState | undefined>;
}

/** Reads deletions. */
export function deletionReader(database: Database, { ended }: Pick<PendingOperationJob, 'ended'>): OperationReader {
  return {
    ended,
    findRequester: (uuid, options) => database.read(options, (session) => new PendingOperationStore(session).findRequester(uuid)),
    state: (uuid, options) => database.read(options, (session) => new PendingOperationStore(session).state(uuid)),
  };
}

/** Operations are visible to the caller who requested them, and to callers who may delete every measurement. spec: decisions.md 5.7, 8.3 */
export function pendingOperationsRoutes(readers: readonly OperationReader[]): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: `${PENDING_OPERATIONS}/:uuid`,
      permission: 'signed-in',
      deadline: 'read',
      documentation: {
        tag: 'Measurements',
        summary: 'How far a deletion or an import in the background is',
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
        const missing = () => new ServiceError('NotFound', `There is no pending operation ${uuid}.`);
        const found = await readerOf(readers, uuid, workOf(context));
        if (!found) throw missing();
        const { reader, requester } = found;
        if (
          requester !== null &&
          requester !== userKeyOf(context.principal) &&
          !context.principal.scopeOf('measurement:write').includes('')
        )
          throw new ServiceError('Forbidden', `The pending operation ${uuid} belongs to another user.`);
        const until = performance.now() + WAIT_MS;
        for (;;) {
          const { version } = reader.ended;
          const state = await reader.state(uuid, workOf(context));
          if (!state) throw missing();
          if (state.ExecutionStatus !== 'Running' || performance.now() >= until) return reply.json(state);
          await reader.ended.waitFor(version, context.signal, POLL_INTERVAL_MS);
        }
      },
    }),
  ];
}

async function readerOf(
  readers: readonly OperationReader[],
  uuid: string,
  options: WorkOptions,
): Promise<{ reader: OperationReader; requester: string | null } | undefined> {
  for (const reader of readers) {
    const requester = await reader.findRequester(uuid, options);
    if (requester !== undefined) return { reader, requester };
  }
  return undefined;
}
