/** Kinds of queries of a topic; the first word of a key below its topic. */
interface Words {
  server: 'access policy' | 'health' | 'information' | 'permissions' | 'views';
  plan:
    | 'ancestors'
    | 'balloons'
    | 'characteristic'
    | 'characteristics below'
    | 'characteristics of part'
    | 'counts'
    | 'figures'
    | 'goes'
    | 'history'
    | 'index'
    | 'named'
    | 'part'
    | 'parts below'
    | 'top'
    | 'units';
  configuration: 'catalogs' | 'definitions';
  files: 'beginning' | 'drawing' | 'entries' | 'entry' | 'list' | 'named' | 'of measurement' | 'places' | 'thumbnail';
  content: 'bytes' | 'model' | 'thumbnail';
  evaluation: 'history' | 'of characteristic' | 'of part';
  overview: 'changes' | 'children' | 'newest of parts' | 'page' | 'part' | 'statuses';
  measurements: 'count' | 'details' | 'goes' | 'index' | 'named' | 'newest' | 'one' | 'values of attribute';
  imports: 'check';
  mappings: 'list' | 'one';
  notes: 'of item' | 'paths' | 'times';
  alarms: 'count' | 'deliveries' | 'delivery' | 'list' | 'mutes' | 'of item' | 'of shift' | 'one' | 'receivers' | 'subscriptions';
  reports: 'first article' | 'kept' | 'run' | 'schedules' | 'templates';
  live: 'names';
}

/** Topics of queries; events renew queries by their topic. */
export type QueryTopic = keyof Words | 'values';

/** Makes the keys of a topic: without words, the beginning that all of its keys share. */
function keysOf<Topic extends keyof Words>(topic: Topic) {
  return (...words: [] | [what: Words[Topic], ...of: unknown[]]): readonly unknown[] => [topic, ...words];
}

/**
 * Keys of all queries. Events renew `plan`, `configuration`, `files`, `evaluation`, `notes`, `alarms` and `overview` by themselves;
 * `values` are renewed by the page that shows them, so that nothing moves under the eyes of the reader.
 */
export const queryKeys = {
  server: keysOf('server'),
  plan: keysOf('plan'),
  configuration: keysOf('configuration'),
  files: keysOf('files'),
  /** Bytes of files, which no event renews: a file that was replaced has another key. */
  content: keysOf('content'),
  evaluation: keysOf('evaluation'),
  overview: keysOf('overview'),
  measurements: keysOf('measurements'),
  imports: keysOf('imports'),
  mappings: keysOf('mappings'),
  notes: keysOf('notes'),
  alarms: keysOf('alarms'),
  reports: keysOf('reports'),
  live: keysOf('live'),
  /** @param of uuid of the characteristic, and which of its figures */
  values: (...of: [] | [characteristicUuid: string, ...of: unknown[]]): readonly unknown[] => ['values', ...of],
} as const;
