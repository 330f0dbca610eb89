import { ServiceError } from '@sinebar/contracts';
import type { ImportOrder } from './import-request.ts';
import type { ImportedFileContent } from './plan/import-draft.ts';

/**
 * Gives a part without a name, which holds the values of a table without a column of parts, the name of the part of `partPath`.
 * It is the only part of its file.
 * @throws ServiceError 400 the file is imported below the root part
 */
export function atPartOfPath(file: ImportedFileContent, order: ImportOrder): [ImportedFileContent, ImportOrder] {
  const [part] = file.content.parts;
  if (part?.name !== '') return [file, order];
  const name = order.partPath.at(-1);
  if (name === undefined) {
    throw new ServiceError(
      'InvalidRequest',
      'The file names no part for its values. Name one with partPath, such as partPath=/Line/Pump, with "part" in the mapping, or in a column.',
    );
  }
  return [
    { ...file, content: { ...file.content, parts: [{ ...part, name }] } },
    { ...order, partPath: order.partPath.slice(0, -1) },
  ];
}
