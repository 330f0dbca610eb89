/** What a file can be shown as. */
export type FileKind = 'picture' | 'pdf' | 'model' | 'table' | 'text' | 'archive' | 'other';

export const FILE_KINDS: readonly FileKind[] = ['picture', 'pdf', 'model', 'table', 'text', 'archive', 'other'];

const TABLE_TYPES = /^text\/(csv|tab-separated-values)$/i;
const TABLE_ENDINGS = /\.(csv|tsv)$/i;
const MODEL_TYPES =
  /^(model\/((x\.)?stl(-ascii|-binary)?|ply|3mf|gltf(\+json|-binary))|application\/(vnd\.ms-package\.3dmanufacturing-3dmodel\+xml|sla))$/i;
const MODEL_ENDINGS = /\.(stl|ply|3mf|gltf|glb)$/i;
/** Types under which browsers and programs store files whose kind they do not know. */
const UNKNOWN_TYPES = /^(application\/octet-stream)?$/i;
const TEXT_ENDINGS = /\.(txt|log|md|json|xml|ya?ml|ini|dfq|dfd|dfx|nc|gcode|sql|step|stp)$/i;
const TEXT_TYPES = /^text\/|[/+](json|xml|yaml|csv)$/i;
/** Picture types that the server makes thumbnails of. spec: decisions.md 6.6 */
const PICTURE_TYPES = /^image\/(jpeg|png|webp|gif|avif|tiff|svg\+xml)$/i;
const PICTURE_ENDINGS = /\.(jpe?g|png|webp|gif|avif|tiff?|svg)$/i;

/** Determines what a file can be shown as, by its type, else by the ending of its name. */
export function fileKind({ mimeType, fileName }: { mimeType: string; fileName: string }): FileKind {
  const [type = ''] = mimeType.split(';');
  return kindOfType(type) ?? (UNKNOWN_TYPES.test(type) ? kindOfName(fileName) : 'other');
}

function kindOfType(type: string): FileKind | undefined {
  if (PICTURE_TYPES.test(type)) return 'picture';
  if (/^application\/pdf$/i.test(type)) return 'pdf';
  if (/^application\/(x-)?zip(-compressed)?$/i.test(type)) return 'archive';
  if (MODEL_TYPES.test(type)) return 'model';
  if (TABLE_TYPES.test(type)) return 'table';
  return TEXT_TYPES.test(type) ? 'text' : undefined;
}

function kindOfName(name: string): FileKind {
  if (PICTURE_ENDINGS.test(name)) return 'picture';
  if (/\.pdf$/i.test(name)) return 'pdf';
  if (/\.zip$/i.test(name)) return 'archive';
  if (MODEL_ENDINGS.test(name)) return 'model';
  if (TABLE_ENDINGS.test(name)) return 'table';
  return TEXT_ENDINGS.test(name) ? 'text' : 'other';
}

/** Type of a picture that was stored without one. */
export function pictureType({ mimeType, fileName }: { mimeType: string; fileName: string }): string {
  return PICTURE_TYPES.test(mimeType) ? mimeType : typeToStore({ type: '', name: fileName });
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
