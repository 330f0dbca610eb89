import type { DateOrder } from './date-forms.ts';

/** How a file is read, in every format. */
export interface ReadOptions {
  /** Zone of the times of the file, such as `Europe/Berlin`; UTC when left out. */
  zone?: string | undefined;
  /** Order of day and month in dates with slashes; that of the format when left out. */
  dateOrder?: DateOrder | undefined;
  /** Encoding of a text file, a label of `TextDecoder`; found when left out. */
  encoding?: string | undefined;
}
