import { joinTextFiles, type ImportAnswer, type ImportOptions, type ReadTable, type TableMapping } from '@sinebar/client';
import { useMutation, useQueries, useQueryClient, type QueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { newUuid } from '../../server/new-uuid';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { dataFilesOf, type DataFile, type OddFile } from './data-files';
import { haveSameColumns, isTooLong, tableOf } from './columns/mapping';
import { useDebounced } from '../../design/page/use-debounced';

/** Options that hold for all files of the page. */
export type CommonOptions = Pick<
  ImportOptions,
  'partPath' | 'zone' | 'dateOrder' | 'encoding' | 'skipBad' | 'ignoreUndefined' | 'onDifference'
>;

/** A chosen file, what a check found in it, and what became of it. */
export interface ImportedFile {
  id: string;
  file: DataFile;
  state: 'checking' | 'refused' | 'ready' | 'known' | 'importing' | 'stored' | 'failed';
  answer?: ImportAnswer;
  error?: Error;
  /** How the last check read a table. */
  table?: ReadTable;
  /** What the reader has chosen for the columns of this file; that of all files when absent. */
  mapping?: TableMapping;
}

/** What the columns of files hold, by the name of the file. */
export type MappingsByName = Readonly<Record<string, TableMapping>>;

type Outcome = Pick<ImportedFile, 'state' | 'answer' | 'error'>;

export interface Imports {
  files: readonly ImportedFile[];
  /** Files of the last choice that are no data files. */
  odd: readonly OddFile[];
  isImporting: boolean;
  add: (files: readonly File[]) => void;
  remove: (id: string) => void;
  /** Says what the columns of a file hold, and of those with the same columns. */
  map: (id: string, mapping: TableMapping) => void;
  /** Says what the columns of files hold that are chosen again, by the name of the file. */
  remember: (mappings: MappingsByName) => void;
  /** Forgets what was said of the columns of single files. */
  unmapAll: () => void;
  /** Stores every file that was found good, one after the other. */
  importAll: () => void;
}

/** Time after a change of the columns at which they are checked again, ms. */
const CHECK_AFTER_MS = 500;

/**
 * Checks chosen files at the server, and stores them when the reader says so.
 * @param mapping what the columns of tables hold, or `@` with the name of a kept mapping; found by their names when it is left out
 */
export function useImports(common: CommonOptions, mapping: ImportOptions['mapping'], canCheck: boolean): Imports {
  const server = useServer();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly { id: string; file: DataFile }[]>([]);
  const [odd, setOdd] = useState<readonly OddFile[]>([]);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [mappings, setMappings] = useState<ReadonlyMap<string, TableMapping>>(new Map());
  const [remembered, setRemembered] = useState<MappingsByName>({});
  const settled = useDebounced(mappings, CHECK_AFTER_MS);
  const optionsOf = ({ format, isTable }: DataFile, id: string): ImportOptions => {
    const used = settled.get(id) ?? mapping;
    return { ...common, format, ...(isTable && used && { mapping: used }) };
  };
  const checks = useQueries({
    queries: chosen.map(({ id, file }) => {
      const options = optionsOf(file, id);
      return {
        queryKey: queryKeys.imports('check', id, options),
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          server.exchange.importFile(await contentOf(file, options), { ...options, dryRun: true, signal }),
        enabled: canCheck && !outcomes.has(id) && canGo(options),
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const files = chosen.map(({ id, file }, i): ImportedFile => {
    const outcome = outcomes.get(id);
    if (outcome !== undefined) return { id, file, ...outcome };
    const check = checks[i];
    const own = mappings.get(id);
    const table = file.isTable ? lastTable(queries, id) : undefined;
    const described = { id, file, ...(table && { table }), ...(own && { mapping: own }) };
    if (own !== settled.get(id)) return { ...described, state: 'checking' };
    if (check?.error) return { ...described, state: 'refused', error: check.error };
    if (check?.data === undefined) return { ...described, state: 'checking' };
    return { ...described, state: isKnown(check.data) ? 'known' : 'ready', answer: check.data };
  });
  const importing = useMutation({
    mutationFn: async (wanted: readonly ImportedFile[]) => {
      const settle = (id: string, outcome: Outcome) => setOutcomes((known) => new Map(known).set(id, outcome));
      for (const { id, file } of wanted) {
        settle(id, { state: 'importing' });
        try {
          settle(id, { state: 'stored', answer: await server.exchange.importFile(await contentOf(file, common), optionsOf(file, id)) });
        } catch (error) {
          settle(id, { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
        }
      }
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'imports' });
    },
  });
  const add = useCallback(
    (given: readonly File[]) => {
      const found = dataFilesOf(given);
      setOdd(found.odd);
      const added = found.data.map((file) => ({ id: newUuid(), file }));
      setChosen((known) => [...known, ...added]);
      const mapped = added.flatMap(({ id, file: { name } }) => {
        const mapping = remembered[name];
        return mapping === undefined ? [] : [[id, mapping] as const];
      });
      if (mapped.length > 0) setMappings((known) => new Map([...known, ...mapped]));
    },
    [remembered],
  );
  return {
    files,
    odd,
    isImporting: importing.isPending,
    add,
    map: (id, changed) => {
      const table = files.find((each) => each.id === id)?.table;
      const same = files.filter((each) => each.id === id || (table && each.table && haveSameColumns(table, each.table)));
      setMappings((known) => new Map([...known, ...same.map((each) => [each.id, changed] as const)]));
    },
    remember: setRemembered,
    unmapAll: () => setMappings(new Map()),
    remove: (id) => setChosen((known) => known.filter((each) => each.id !== id)),
    importAll: () => importing.mutate(files.filter(({ state }) => state === 'ready')),
  };
}

/** How the newest check of a file read its table, so that the page keeps it while the next one runs. */
function lastTable(queries: QueryClient, id: string): ReadTable | undefined {
  const states = queries
    .getQueryCache()
    .findAll({ queryKey: queryKeys.imports('check', id) })
    .map(({ state }) => state)
    .toSorted((a, b) => Math.max(b.dataUpdatedAt, b.errorUpdatedAt) - Math.max(a.dataUpdatedAt, a.errorUpdatedAt));
  for (const { data, error } of states) {
    const table = tableOf(data as ImportAnswer | undefined, error);
    if (table) return table;
  }
  return undefined;
}

/** The bytes to send. */
function contentOf({ content, pair }: DataFile, { encoding }: CommonOptions): Promise<Blob> {
  return pair === undefined ? Promise.resolve(content) : joinTextFiles(pair, encoding);
}

/** Whether a mapping fits into the address of a request; until a longer one is kept by name, its file is not checked. */
function canGo({ mapping }: ImportOptions): boolean {
  return typeof mapping !== 'object' || !isTooLong(mapping);
}

/** Whether everything of a file is there already, with all its attributes. */
function isKnown({ measurements, characteristics, parts, filled }: ImportAnswer): boolean {
  const isCreated = [measurements, characteristics, parts].some(({ created }) => created > 0);
  return !isCreated && measurements.found > 0 && filled.length === 0;
}
