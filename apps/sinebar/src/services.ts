import { UsageError } from './command-line/arguments.ts';

export const SERVICE_NAMES = ['inspection', 'raw-data', 'events'] as const;
export type ServiceName = (typeof SERVICE_NAMES)[number];
/** Services with a database. */
export const STORING_SERVICES = ['inspection', 'raw-data'] as const satisfies readonly ServiceName[];
export type StoringService = (typeof STORING_SERVICES)[number];

/** Reads the names behind `--services`. @throws UsageError */
export function readServices<const N extends ServiceName>(text: string | undefined, allowed: readonly N[]): N[] {
  const choice = `--services takes one or several of ${allowed.join(', ')}, with commas between them`;
  if (text === undefined) throw new UsageError(`Missing: --services. ${choice}.`);
  return [...new Set(text.split(','))].map((name) => {
    const found = allowed.find((each) => each === name.trim());
    if (found === undefined) throw new UsageError(`${choice}, not "${name}".`);
    return found;
  });
}
