import type { BusLog } from './bus-log.ts';

/** Makes a log that adds `level sentence fields` to the lines. */
export function logInto(lines: string[]): BusLog {
  const add = (level: string) => (fields: object, sentence: string) => void lines.push(`${level} ${sentence} ${JSON.stringify(fields)}`);
  return { debug: add('debug'), info: add('info'), warn: add('warn'), error: add('error') };
}
