import { ServiceError, type TableMappingList } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import type { TableMapping } from '@sinebar/exchange';
import { quoted } from '@sinebar/http';
import { requireMatch, withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import type { HideUsers } from '../../shared/answers/shown-users.ts';
import type { Caller } from '../../shared/request-context.ts';

export interface MappingDependencies {
  database: Database;
  /** Leaves out names in answers. */
  hide: HideUsers;
  now: () => Date;
}

/** Most mappings of a plant. */
const MAX_MAPPINGS = 500;
/** Names that a refusal lists. */
const MAX_NAMED = 20;
/** Conflicts of two that save mappings at the same time are rare; a lock keeps them from being created twice. */
const LOCK = 'LOCK TABLE table_mapping IN SHARE ROW EXCLUSIVE MODE';

/** Mappings of tables that are kept by name. */
export class MappingService {
  private readonly deps: MappingDependencies;

  constructor(deps: MappingDependencies) {
    this.deps = deps;
  }

  /** Lists the mappings by name, without what they say. */
  list(caller: Caller): Promise<TextWithEtag> {
    const { database, hide } = this.deps;
    return database.read(caller, async (session) => {
      const rows = await session.query<{ name: string; user: string; time: Date }>(
        'SELECT name, saved_by AS "user", saved_at AS time FROM table_mapping ORDER BY name',
      );
      const list: TableMappingList = rows.map(({ name, user, time }) =>
        hide({ name, ...(user !== '' && { user }), time: time.toISOString() }, caller.principal),
      );
      return withEtag(JSON.stringify(list));
    });
  }

  /** @throws ServiceError 404 */
  read(name: string, caller: Caller): Promise<TextWithEtag> {
    return this.deps.database.read(caller, async (session) => {
      const mapping = await findMapping(session, name);
      if (!mapping) throw notFound(name);
      return textOf(mapping);
    });
  }

  /** Reads a mapping that a request names. @throws ServiceError 400 with the names of those that exist */
  use(name: string, caller: Caller): Promise<TableMapping> {
    return this.deps.database.read(caller, async (session) => {
      const mapping = await findMapping(session, name);
      if (mapping) return mapping;
      const rows = await session.query<{ name: string }>(`SELECT name FROM table_mapping ORDER BY name LIMIT ${MAX_NAMED}`);
      const known = rows.length === 0 ? 'None is kept' : `Those that are kept include ${rows.map((row) => quoted(row.name)).join(', ')}`;
      throw new ServiceError('InvalidRequest', `Parameter mapping: There is no mapping ${quoted(name)}. ${known}.`);
    });
  }

  /** Keeps a mapping, in the place of one with the name. @throws ServiceError 400 for one too many, 412 */
  put(name: string, mapping: TableMapping, { principal, ifMatch, ...options }: Caller): Promise<TextWithEtag> {
    return this.deps.database.write(options, async (session) => {
      await session.query(LOCK);
      const before = await findMapping(session, name);
      requireMatch(ifMatch, before ? textOf(before).etag : '""', `The mapping ${quoted(name)}`);
      const [row] = await session.query<{ count: number }>('SELECT count(*)::int AS count FROM table_mapping');
      if (!before && (row?.count ?? 0) >= MAX_MAPPINGS)
        throw new ServiceError('InvalidRequest', `There are ${MAX_MAPPINGS} mappings already. Delete one first.`);
      await session.query(
        `INSERT INTO table_mapping (name, mapping, saved_by, saved_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (name) DO UPDATE SET mapping = EXCLUDED.mapping, saved_by = EXCLUDED.saved_by, saved_at = EXCLUDED.saved_at`,
        [name, JSON.stringify(mapping), principal.name, this.deps.now()],
      );
      return textOf(mapping);
    });
  }

  /** @throws ServiceError 404, 412 */
  delete(name: string, { ifMatch, ...options }: Caller): Promise<void> {
    return this.deps.database.write(options, async (session) => {
      await session.query(LOCK);
      const before = await findMapping(session, name);
      if (!before) throw notFound(name);
      requireMatch(ifMatch, textOf(before).etag, `The mapping ${quoted(name)}`);
      await session.query('DELETE FROM table_mapping WHERE name = $1', [name]);
    });
  }
}

async function findMapping(session: Session, name: string): Promise<TableMapping | undefined> {
  const [row] = await session.query<{ mapping: TableMapping }>('SELECT mapping FROM table_mapping WHERE name = $1', [name]);
  return row?.mapping;
}

function notFound(name: string): ServiceError {
  return new ServiceError('NotFound', `There is no mapping ${quoted(name)}.`);
}

function textOf(mapping: TableMapping): TextWithEtag {
  return withEtag(JSON.stringify(mapping));
}
