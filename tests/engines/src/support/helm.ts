import { findProgram, HELM } from '@sinebar/local-servers';

const found = await findProgram(HELM, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) }).then(
  (path) => ({ path, why: undefined }),
  (error: Error) => ({ path: undefined, why: error.message }),
);

/** @returns why there is no helm; `undefined` when there is one */
export const whyNoHelm = (): string | undefined => found.why;

/** @returns path of helm @throws when it is missing */
export function helm(): string {
  if (found.path === undefined) throw new Error(found.why);
  return found.path;
}
