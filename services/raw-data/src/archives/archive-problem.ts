import { ServiceError } from '@sinebar/contracts';
import type { RawDataObject } from '../objects/raw-data-object.js';
import { describeTarget } from '../targets/target.js';

/** Why an archive, or an entry of it, cannot be read; a sentence without its subject's address. */
export class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

/** spec: raw-data-service.md, Errors */
const MESSAGE = 'Specified RawData is no archive of supported format!';

/** Gives an {@link ArchiveProblem} the documented answer, with the reason as a detail; other errors are returned as they are. */
export function asAnswer(error: unknown, { target, key }: Pick<RawDataObject, 'target' | 'key'>): unknown {
  if (!(error instanceof ArchiveProblem)) return error;
  const message = `raw data ${key} of ${describeTarget(target)}: ${error.message}`;
  return new ServiceError('UnsupportedArchive', MESSAGE, { details: [{ field: 'archive', message }], cause: error });
}
