import { ServiceError } from '@sinebar/contracts';
import type { ImportOutcome } from './import-request.ts';

/** The error for a file with errors, which names the first of them and lists the others. */
export function refusal({ errors, errorCount }: Extract<ImportOutcome, { kind: 'refused' }>): ServiceError {
  const [first] = errors;
  const position = first?.line === undefined ? '' : `Line ${first.line}${first.key === undefined ? '' : `, ${first.key}`}: `;
  const others = errorCount > 1 ? ` There are ${errorCount} errors. See errors.` : '';
  const details = errors.map(({ line, key, message }) => ({ field: [line ?? '', key ?? ''].join(' ').trim(), message }));
  return new ServiceError('InvalidRequest', `The file has errors, so nothing was stored. ${position}${first?.message ?? ''}${others}`, {
    details,
  });
}
