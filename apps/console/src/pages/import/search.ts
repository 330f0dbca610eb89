import { searchParameters, text } from '../../server/search-parameters';

/** Parameters in the address of the page for imports. */
export interface ImportAddress extends Readonly<Record<string, unknown>> {
  /** Uuid of the part below which the parts of the file stand. */
  part: string;
  /** Zone of the times in the files. */
  zone: string;
}

export const search = searchParameters<ImportAddress>({ part: text, zone: text });
