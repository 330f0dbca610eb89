import {
  GrammarError,
  parseList,
  parseMarkedPath,
  parseUnmarkedPath,
  storedPathElement,
  type PathElement,
  type PlanItemKind,
  type SearchCondition,
} from '@sinebar/query-language';
import { ServiceError } from '@sinebar/contracts';
import { grammarParameter, listOf, members, uuidParameter } from '@sinebar/http';
import { z } from 'zod';
import { rawAttributesSchema, ruleOf } from '../configuration/attribute-values.ts';
import type { Configuration } from '../configuration/configuration.ts';
import { attributeSearch } from '../shared/search-sql.ts';
import { refuseUnknownKeys } from '../configuration/unknown-keys.ts';
import { commentSchema } from '../shared/parameters.ts';
import { concerningSent } from './changes/item-names.ts';
import type { PlanSelection } from './reading/plan-query.ts';

/** Parses `charPath` into all stored paths that it can mean: a path without marker does not say where the characteristics begin. */
export const characteristicPathParameter = grammarParameter((text) => {
  const names = parseUnmarkedPath(text);
  if (names.length === 0) throw new GrammarError('the path names no characteristic', 0);
  return storedPathsOf(names).slice(1);
});

/** Most stored paths that a list of paths can mean; each path of n names means n + 1. */
const MAX_MEANT_PATHS = 2000;

/** Parses a list of paths without marker into all stored paths that they can mean. */
export const pathListParameter = grammarParameter((text) => {
  const paths = parseList(text).map(parseUnmarkedPath);
  if (paths.reduce((sum, names) => sum + names.length + 1, 0) > MAX_MEANT_PATHS)
    throw new GrammarError('the list of paths is too long; send it in several requests', 0);
  return paths.flatMap(storedPathsOf);
});

function pathOf(kind: PlanItemKind) {
  const example = kind === 'part' ? 'PP:/part/part/' : 'PC:/part/characteristic/';
  const path = grammarParameter((text): PathElement[] => {
    const elements = parseMarkedPath(text);
    const last = elements.at(-1)?.kind ?? 'part';
    if (last !== kind)
      throw new GrammarError(
        kind === 'part' ? 'the path of a part has a type marker of P alone' : 'the type marker of a characteristic ends in C',
        0,
      );
    return elements;
  });
  return z.string(`must be a path with a type marker, such as "${example}"`).pipe(path);
}

/** spec: inspection-service.md, Parts POST, Characteristics POST */
export function creationSchema(kind: PlanItemKind) {
  return listOf(
    members({ uuid: uuidParameter, path: pathOf(kind), attributes: rawAttributesSchema.optional(), comment: commentSchema }),
    `must be an array of ${kind}s`,
    (item) => concerningSent(kind, item),
  );
}

/** spec: inspection-service.md, Parts PUT, Characteristics PUT; decisions.md 4.6 */
export function updateSchema(kind: PlanItemKind) {
  return listOf(
    members({ uuid: uuidParameter, path: pathOf(kind).optional(), attributes: rawAttributesSchema.optional(), comment: commentSchema }),
    `must be an array of ${kind}s`,
    (item) => concerningSent(kind, item),
  );
}

/** Compiles a search on items of one kind. @throws ServiceError 400 with the position of the mistake */
export function searchOn(
  kind: PlanItemKind,
  search: SearchCondition | undefined,
  configuration: Configuration,
  caseSensitive: boolean,
): PlanSelection['search'] {
  if (!search) return undefined;
  try {
    const other = search.conditions.find(({ field }) => field.kind !== 'attribute');
    if (other)
      throw new GrammarError(
        `${other.field.kind} is a field of measurements only; a ${kind} is searched by its attributes`,
        other.position,
      );
    refuseUnknownKeys(search, configuration);
    return { kind, condition: attributeSearch(search, { typeOf: (key) => ruleOf(configuration, kind, key)?.type, caseSensitive }) };
  } catch (error) {
    if (error instanceof GrammarError)
      throw new ServiceError('InvalidRequest', `Parameter searchCondition: ${error.message}`, { cause: error });
    throw error;
  }
}

/** Stored paths for every depth at which the characteristics may begin; the path without characteristics comes first. */
function storedPathsOf(names: readonly string[]): string[] {
  const elements = (kind: PlanItemKind) => names.map((name) => storedPathElement({ kind, name }));
  const [parts, characteristics] = [elements('part'), elements('characteristic')];
  return Array.from({ length: names.length + 1 }, (_, below) => {
    const begin = names.length - below;
    return parts.slice(0, begin).join('') + characteristics.slice(begin).join('');
  });
}
