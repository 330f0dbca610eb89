import { joinTextFiles, type ImportAnswer, type ImportOptions } from '@sinebar/client';
import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query';
import { useCallback, useState } from 'react';
import { newUuid } from '../../server/new-uuid';
import { queryKeys } from '../../server/queries/keys';
import { useServer } from '../../server/server';
import { dataFilesOf, type DataFile, type OddFile } from './data-files';
import type { TableMapping } from './mapping-field';

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
}

export interface Imports {
  files: readonly ImportedFile[];
  /** Files of the last choice that are no data files. */
  odd: readonly OddFile[];
  isImporting: boolean;
  add: (files: readonly File[]) => void;
  remove: (id: string) => void;
  /** Stores every file that was found good, one after the other. */
  importAll: () => void;
}

/**
 * Checks chosen files at the server, and stores them when the reader says so.
 * @param mapping what the columns of tables hold; the server finds columns by their names when it is left out
 */
export function useImports(common: CommonOptions, mapping: TableMapping | undefined, canCheck: boolean): Imports {
  const server = useServer();
  const queries = useQueryClient();
  const [chosen, setChosen] = useState<readonly { id: string; file: DataFile }[]>([]);
  const [odd, setOdd] = useState<readonly OddFile[]>([]);
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Pick<ImportedFile, 'state' | 'answer' | 'error'>>>(new Map());
  const optionsOf = ({ format, isTable }: DataFile): ImportOptions => ({ ...common, format, ...(isTable && mapping && { mapping }) });
  const checks = useQueries({
    queries: chosen.map(({ id, file }) => {
      const options = optionsOf(file);
      return {
        queryKey: queryKeys.imports('check', id, options),
        queryFn: async ({ signal }: { signal: AbortSignal }) =>
          server.exchange.importFile(await contentOf(file, options), { ...options, dryRun: true, signal }),
        enabled: canCheck && !outcomes.has(id),
        retry: false,
        staleTime: Number.POSITIVE_INFINITY,
      };
    }),
  });
  const files = chosen.map(({ id, file }, i): ImportedFile => {
    const outcome = outcomes.get(id);
    if (outcome !== undefined) return { id, file, ...outcome };
    const check = checks[i];
    if (check?.error) return { id, file, state: 'refused', error: check.error };
    if (check?.data === undefined) return { id, file, state: 'checking' };
    return { id, file, state: isKnown(check.data) ? 'known' : 'ready', answer: check.data };
  });
  const importing = useMutation({
    mutationFn: async (wanted: readonly ImportedFile[]) => {
      const settle = (id: string, outcome: Pick<ImportedFile, 'state' | 'answer' | 'error'>) =>
        setOutcomes((known) => new Map(known).set(id, outcome));
      for (const { id, file } of wanted) {
        settle(id, { state: 'importing' });
        try {
          settle(id, { state: 'stored', answer: await server.exchange.importFile(await contentOf(file, common), optionsOf(file)) });
        } catch (error) {
          settle(id, { state: 'failed', error: error instanceof Error ? error : new Error(String(error)) });
        }
      }
      await queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'imports' });
    },
  });
  const add = useCallback((given: readonly File[]) => {
    const found = dataFilesOf(given);
    setOdd(found.odd);
    setChosen((known) => [...known, ...found.data.map((file) => ({ id: newUuid(), file }))]);
  }, []);
  return {
    files,
    odd,
    isImporting: importing.isPending,
    add,
    remove: (id) => setChosen((known) => known.filter((each) => each.id !== id)),
    importAll: () => importing.mutate(files.filter(({ state }) => state === 'ready')),
  };
}

/** The bytes to send. */
function contentOf({ content, pair }: DataFile, { encoding }: CommonOptions): Promise<Blob> {
  return pair === undefined ? Promise.resolve(content) : joinTextFiles(pair, encoding);
}

/** Whether everything of a file is there already, with all its attributes. */
function isKnown({ measurements, characteristics, parts, filled }: ImportAnswer): boolean {
  const isCreated = [measurements, characteristics, parts].some(({ created }) => created > 0);
  return !isCreated && measurements.found > 0 && filled.length === 0;
}
