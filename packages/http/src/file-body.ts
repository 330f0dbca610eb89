import { ServiceError } from '@sinebar/contracts';

/** Returns the media type of a header `Content-Type` in lower case, without parameters and quotation marks. */
export function mediaTypeOf(contentType: string | undefined): string {
  return (/^[\s"]*([^;"]*)/.exec(contentType ?? '')?.[1] ?? '').trim().toLowerCase();
}

/**
 * Refuses a form as the body of a file: its boundaries would be stored with the file.
 * @param hint further sentence for the message
 * @throws ServiceError 415
 * spec: decisions.md 6.10
 */
export function refuseForm(contentType: string | undefined, hint = ''): void {
  if (mediaTypeOf(contentType) !== 'multipart/form-data') return;
  throw new ServiceError(
    'UnsupportedMediaType',
    `The body is a form (multipart/form-data). Send the file itself as the body, as curl does with --data-binary @file instead of -F.${hint}`,
  );
}
