/** Kinds of previews of a file. */
export type FileKind = 'picture' | 'pdf' | 'text' | 'archive' | 'other';

export const FILE_KINDS: readonly FileKind[] = ['picture', 'pdf', 'text', 'archive', 'other'];

const TEXT_ENDINGS = /\.(csv|tsv|txt|log|md|json|xml|ya?ml|ini|dfq|dfd|dfx|nc|gcode|sql|step|stp)$/i;
const TEXT_TYPES = /^text\/|[/+](json|xml|yaml|csv)$/i;
/** Picture types that the server makes thumbnails of. spec: decisions.md 6.6 */
const PICTURE_TYPES = /^image\/(jpeg|png|webp|gif|avif|tiff|svg\+xml)$/i;
const PICTURE_ENDINGS = /\.(jpe?g|png|webp|gif|avif|tiff?|svg)$/i;

/** Determines what a file can be shown as, by its type, else by the ending of its name. */
export function fileKind({ mimeType, fileName }: { mimeType: string; fileName: string }): FileKind {
  const [type = ''] = mimeType.split(';');
  if (PICTURE_TYPES.test(type)) return 'picture';
  if (/^application\/pdf$/i.test(type)) return 'pdf';
  if (/^application\/(x-)?zip(-compressed)?$/i.test(type)) return 'archive';
  if (TEXT_TYPES.test(type) && type !== 'image/svg+xml') return 'text';
  if (!/^(application\/octet-stream)?$/i.test(type)) return 'other';
  if (PICTURE_ENDINGS.test(fileName)) return 'picture';
  if (/\.pdf$/i.test(fileName)) return 'pdf';
  if (/\.zip$/i.test(fileName)) return 'archive';
  return TEXT_ENDINGS.test(fileName) ? 'text' : 'other';
}

const TYPES_BY_ENDING: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  txt: 'text/plain',
  log: 'text/plain',
  json: 'application/json',
  xml: 'application/xml',
  zip: 'application/zip',
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  jpeg: 'image/jpeg',
  webp: 'image/webp',
  gif: 'image/gif',
  avif: 'image/avif',
  tif: 'image/tiff',
  tiff: 'image/tiff',
  svg: 'image/svg+xml',
};

/** Type to store a file with: the browser's, else by the ending of the name. */
export function typeToStore({ type, name }: { type: string; name: string }): string {
  if (type !== '') return type;
  return TYPES_BY_ENDING[/\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? ''] ?? 'application/octet-stream';
}
