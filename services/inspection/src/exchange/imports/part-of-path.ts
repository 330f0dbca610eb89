import { ServiceError } from '@sinebar/contracts';
import type { ImportJob } from './import-request.ts';
import type { ImportedFileContent } from './plan/import-draft.ts';

/**
 * Gives a part without a name, which holds the values of a table without a column of parts, the name of the part of `partPath`.
 * It is the only part of its file.
 * @throws ServiceError 400 the file is imported below the root part
 */
export function atPartOfPath(file: ImportedFileContent, job: ImportJob): [ImportedFileContent, ImportJob] {
  const [part] = file.content.parts;
  if (part?.name !== '') return [file, job];
  const name = job.partPath.at(-1);
  if (name === undefined) {
    throw new ServiceError(
      'InvalidRequest',
      'The file names no part for its values. Name one with partPath, such as partPath=/Line/Pump, with "part" in the mapping, or in a column.',
    );
  }
  return [
    { ...file, content: { ...file.content, parts: [{ ...part, name }] } },
    { ...job, partPath: job.partPath.slice(0, -1) },
  ];
}
