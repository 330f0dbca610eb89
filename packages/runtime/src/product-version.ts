import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** Version of the product; all packages of a release carry the same. */
export const PRODUCT_VERSION = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
