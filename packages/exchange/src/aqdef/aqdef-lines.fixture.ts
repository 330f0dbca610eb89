import { bytesOf, readAll, type ReadFile } from '../read-all.fixture.ts';
import { readAqdef } from './aqdef-reader.ts';

/** Separators of the fields of a value, and of the values of a line. */
export const [F, C] = ['\u0014', '\u000f'] as const;
export const fields = (...texts: readonly string[]) => texts.join(F);

/** Lines that begin a file with one part and its characteristics. */
export const header = (part: string, ...names: readonly string[]) => [
  `K0100 ${names.length}`,
  `K1001/1 ${part}`,
  ...names.map((name, i) => `K2002/${i + 1} ${name}`),
];

/** A time in Berlin, as files write it, and in UTC. */
export const TIME = '05.07.2026/10:48:07';
export const UTC = '2026-07-05T08:48:07Z';

export const readLines = (lines: readonly string[], zone = 'Europe/Berlin'): Promise<ReadFile> =>
  readAll(readAqdef(bytesOf(lines.join('\r\n') + '\r\n'), { zone }));
export const valuesOf = ({ all }: Pick<ReadFile, 'all'>) => all.map(({ values }) => values);
