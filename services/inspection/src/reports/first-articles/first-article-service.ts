import type { PathScope } from '@sinebar/access-control';
import { FIRST_ARTICLE_FIELDS, ServiceError } from '@sinebar/contracts';
import type { Database, Session } from '@sinebar/database';
import { findNotedItem } from '../../notes/note-store.ts';
import { requireMatch, withEtag, type TextWithEtag } from '../../shared/answers/text-etag.ts';
import { strictMembers, textMember } from '../../shared/body-members.ts';
import { sharePlan } from '../../shared/plan-lock.ts';
import type { Caller } from '../../shared/request-context.ts';

const MAX_TEXT = 1000;

/** Texts by the names of fields; the others are empty. */
export type FirstArticle = Readonly<Record<string, string>>;

/** Body of a PUT: the texts of all fields that are filled. */
export const firstArticleBody = strictMembers(
  Object.fromEntries(FIRST_ARTICLE_FIELDS.map(({ name }) => [name, textMember(MAX_TEXT).optional()])),
).transform((fields): FirstArticle => fields as FirstArticle);

/** Reads what is typed for the first article inspection of a part. */
export async function readFirstArticle(session: Session, partUuid: string): Promise<FirstArticle> {
  const [row] = await session.query<{ fields: FirstArticle }>(
    'SELECT fields FROM first_article WHERE part_id = (SELECT id FROM plan_item WHERE uuid = $1)',
    [partUuid],
  );
  return row?.fields ?? {};
}

/** Keeps what no attribute holds and the forms of a first article inspection ask for, by part. spec: decisions.md 13.5 */
export class FirstArticleService {
  private readonly database: Database;

  constructor(database: Database) {
    this.database = database;
  }

  /** @throws ServiceError 403, 404 */
  read(partUuid: string, caller: Caller): Promise<TextWithEtag> {
    return this.database.snapshot(caller, async (session) => {
      await requirePart(session, partUuid, caller.principal.scopeOf('plan:read'), 'read');
      return textOf(await readFirstArticle(session, partUuid));
    });
  }

  /** Replaces all fields. @throws ServiceError 403, 404, 412 */
  put(partUuid: string, fields: FirstArticle, caller: Caller): Promise<TextWithEtag> {
    return this.database.write(caller, async (session) => {
      await sharePlan(session);
      const { id } = await requirePart(session, partUuid, caller.principal.scopeOf('note:write'), 'change');
      // Two writers of the same part take turns.
      await session.query('SELECT FROM plan_item WHERE id = $1 FOR NO KEY UPDATE', [id]);
      requireMatch(caller.ifMatch, textOf(await readFirstArticle(session, partUuid)).etag, `What is typed for the part ${partUuid}`);
      await session.query(
        'INSERT INTO first_article (part_id, fields) VALUES ($1, $2) ON CONFLICT (part_id) DO UPDATE SET fields = EXCLUDED.fields',
        [id, JSON.stringify(fields)],
      );
      return textOf(fields);
    });
  }
}

async function requirePart(session: Session, uuid: string, scope: PathScope, act: string) {
  const item = await findNotedItem(session, { kind: 'part', uuid });
  if (!item) throw new ServiceError('NotFound', `There is no part ${uuid}.`);
  if (!scope.includes(item.partPath)) throw new ServiceError('Forbidden', `You may not ${act} what is typed for the part ${uuid}.`);
  return item;
}

/** Fields in the order of the forms, so that equal ones have one validator. */
function textOf(fields: FirstArticle): TextWithEtag {
  return withEtag(
    JSON.stringify(
      Object.fromEntries(FIRST_ARTICLE_FIELDS.flatMap(({ name }) => (fields[name] === undefined ? [] : [[name, fields[name]]]))),
    ),
  );
}
