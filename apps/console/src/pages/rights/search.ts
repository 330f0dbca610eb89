import { searchParameters, text } from '../../server/search-parameters';

/** Parameters in the address of the page of rights: whose rights are explained, and on which part. */
export interface RightsAddress extends Readonly<Record<string, unknown>> {
  user: string;
  role: string;
  /** Path without type marker. */
  part: string;
}

export const search = searchParameters<RightsAddress>({ user: text, role: text, part: text });
