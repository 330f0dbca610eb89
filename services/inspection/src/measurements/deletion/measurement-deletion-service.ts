import { PathScope, type Principal } from '@sinebar/access-control';
import { ServiceError } from '@sinebar/contracts';
import { sql, type Database, type Session, type WorkOptions } from '@sinebar/database';
import type { ConfigurationReader } from '../../configuration/configuration.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import { deleteSelected } from './measurement-deletion.ts';
import { mayNotDeleteMeasurements } from '../../plan/measurement-cascade.ts';
import { selectionStatement, type MeasurementSelection } from '../selection/measurement-selection.ts';

export interface MeasurementDeletionDependencies {
  database: Database;
  configurations: ConfigurationReader;
}

export interface DeletionCaller extends WorkOptions {
  principal: Principal;
}

/** Scopes in which a deletion searches for measurements and in which it may delete them. */
export interface DeletionRights {
  readable: PathScope;
  writable: PathScope;
}

/** Deletes measurements with their values, each request in one transaction. spec: inspection-service.md, Measurements DELETE */
export class MeasurementDeletionService {
  private readonly deps: MeasurementDeletionDependencies;

  constructor(deps: MeasurementDeletionDependencies) {
    this.deps = deps;
  }

  /** @throws ServiceError 404, 403 */
  async deleteOne(uuid: string, { principal, ...options }: DeletionCaller): Promise<void> {
    await this.deps.database.write(options, async (session) => {
      await sharePlan(session);
      const selected = sql`SELECT id FROM measurement WHERE uuid = ${uuid}::uuid`;
      const deleted = await deleteSelected(session, selected, principal.scopeOf('measurement:write'));
      if (deleted === 0) throw new ServiceError('NotFound', `There is no measurement ${uuid}.`);
    });
  }

  /**
   * Deletes all selected measurements or none.
   * @throws ServiceError as {@link admitDeletion}; 400 for a search that does not fit the configuration
   */
  async delete(selection: MeasurementSelection, { principal, ...options }: DeletionCaller): Promise<void> {
    const { database, configurations } = this.deps;
    await database.write(options, async (session) => {
      await sharePlan(session);
      const { readable, writable } = await admitDeletion(session, selection, principal);
      const statement = selectionStatement(selection, readable, await configurations.read(session), 'm.id AS id');
      await deleteSelected(session, statement, writable);
    });
  }
}

/**
 * Checks the rights for a deletion as far as possible before the search.
 * Named parts and measurements must be writable; without a selector, everything.
 * A search alone runs over the readable parts and fails later at a measurement that is not writable.
 * So it reveals nothing about other parts, and never deletes fewer measurements than a reading with the same search shows.
 * @throws ServiceError 404 a part path that names nothing; 403
 * spec: decisions.md 1.7, 8.2, 8.3
 */
export async function admitDeletion(session: Session, selection: MeasurementSelection, principal: Principal): Promise<DeletionRights> {
  const writable = principal.scopeOf('measurement:write');
  const { measurementUuids, partUuids, partPath, search } = selection;
  const named = await session.query<{ uuid: string; path: string }>(
    `SELECT uuid, path FROM plan_item WHERE kind = 'part' AND (uuid = ANY($1::uuid[]) OR path = $2)
     UNION SELECT part.uuid, part.path FROM measurement JOIN plan_item part ON part.id = measurement.part_id
       WHERE measurement.uuid = ANY($3::uuid[])`,
    [partUuids ?? [], partPath ?? null, measurementUuids ?? []],
  );
  if (partPath !== undefined && !named.some(({ path }) => path === partPath))
    throw new ServiceError('NotFound', 'There is no part at partPath.');
  const refused = named.find(({ path }) => !writable.includes(path));
  // Names the part only if the request contains its uuid.
  if (refused) throw mayNotDeleteMeasurements(partUuids?.includes(refused.uuid) ? `the part ${refused.uuid}` : undefined);
  if (measurementUuids ?? partUuids ?? partPath) return { readable: PathScope.EVERYTHING, writable };
  if (search) return { readable: principal.scopeOf('measurement:read'), writable };
  if (!writable.includes(''))
    throw new ServiceError('Forbidden', 'To delete all measurements you must be allowed to delete those of every part.');
  return { readable: PathScope.EVERYTHING, writable };
}
