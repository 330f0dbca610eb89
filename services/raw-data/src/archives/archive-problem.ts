import { ServiceError } from '@sinebar/contracts';
import type { RawDataObject } from '../objects/raw-data-object.ts';
import { describeTarget } from '../targets/target.ts';

/** Reason why an archive or an entry cannot be read; the message does not name the archive. */
export class ArchiveProblem extends Error {
  override readonly name = 'ArchiveProblem';
}

/** spec: raw-data-service.md, Errors */
const MESSAGE = 'Specified RawData is no archive of supported format!';

/** Turns an {@link ArchiveProblem} into the documented error, with the reason as a detail; returns other errors as they are. */
export function asAnswer(error: unknown, { target, key }: Pick<RawDataObject, 'target' | 'key'>): unknown {
  if (!(error instanceof ArchiveProblem)) return error;
  const message = `raw data ${key} of ${describeTarget(target)}: ${error.message}`;
  return new ServiceError('UnsupportedArchive', MESSAGE, { details: [{ field: 'archive', message }], cause: error });
}
