import type { PlantSettings, PlantSettingsHistory, PlantSettingsState, ShiftOfTime } from '@sinebar/contracts';
import type { Database, Session, WorkOptions } from '@sinebar/database';
import { assessAll } from '../../shared/figure-changes.ts';
import type { PlanWrites } from '../../shared/plan-lock.ts';
import type { Caller } from '../../shared/request-context.ts';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import { PlantClock } from './plant-clock.ts';
import type { SettingsBody } from './settings-body.ts';

export interface PlantSettingsDependencies {
  database: Database;
  writes: PlanWrites;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

interface SettingsText extends TextWithEtag {
  settings: PlantSettings;
}

const DEFAULT: PlantSettings = { zone: 'UTC', shifts: [], revision: 0 };
/** Latest revisions that a history lists. */
const MAX_REVISIONS = 1000;

/** Reads the settings of the plant. */
export async function readPlantSettings(session: Session): Promise<PlantSettings> {
  const [row] = await session.query<{ revision: number; state: PlantSettingsState }>(
    'SELECT revision, state FROM plant_settings ORDER BY revision DESC LIMIT 1',
    [],
    { name: 'plant-settings' },
  );
  return row ? { ...row.state, revision: row.revision } : DEFAULT;
}

/** Zone, shifts and required value of the plant; each change is one transaction under the plan lock. */
export class PlantSettingsService {
  private readonly deps: PlantSettingsDependencies;

  constructor(deps: PlantSettingsDependencies) {
    this.deps = deps;
  }

  read(work: WorkOptions): Promise<SettingsText> {
    return this.deps.database.read(work, async (session) => textOf(await readPlantSettings(session)));
  }

  /** Tells shift, day and week of a time. @param ms milliseconds since 1970 */
  async shiftAt(ms: number, work: WorkOptions): Promise<ShiftOfTime> {
    const { settings } = await this.read(work);
    return new PlantClock(settings).at(ms);
  }

  /** @returns the validator of the new state. @throws ServiceError 412 */
  put({ state, reason }: SettingsBody, caller: Caller): Promise<string> {
    const { principal, ifMatch } = caller;
    return this.deps.writes.write(caller, async (session) => {
      const { etag, settings } = textOf(await readPlantSettings(session));
      requireMatch(ifMatch, etag, 'Something in the settings of the plant');
      if (state.required !== settings.required) await assessAll(session);
      const revision = settings.revision + 1;
      await session.query('INSERT INTO plant_settings (revision, changed_at, changed_by, reason, state) VALUES ($1, $2, $3, $4, $5)', [
        revision,
        this.deps.now(),
        principal.name,
        reason,
        JSON.stringify(state),
      ]);
      return textOf({ ...state, revision }).etag;
    });
  }

  /** Reads the changes, the newest first. */
  history(caller: Caller): Promise<PlantSettingsHistory> {
    const { database, hide } = this.deps;
    return database.read(caller, async (session) => {
      const rows = await session.query<{ revision: number; time: Date; user: string; reason: string; state: PlantSettingsState }>(
        `SELECT revision, changed_at AS time, changed_by AS "user", reason, state FROM plant_settings
         ORDER BY revision DESC LIMIT ${MAX_REVISIONS}`,
      );
      return rows.map(({ revision, time, user, reason, state }) =>
        hide({ revision, time: time.toISOString(), ...(user !== '' && { user }), reason, state }, caller.principal),
      );
    });
  }
}

function textOf({ zone, shifts, required, revision }: PlantSettings): SettingsText {
  const settings = { zone, shifts, ...(required !== undefined && { required }), revision };
  return { settings, ...withEtag(JSON.stringify(settings)) };
}
