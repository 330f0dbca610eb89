import { createHash } from 'node:crypto';
import type { FileToStore } from '@sinebar/client';

const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Resources<</Font<</F1 3 0 R>>>>/Contents';
const FONT = '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>';

/** Makes a PDF of objects, numbered from 1; readers repair the missing table of offsets. */
function pdf(objects: readonly string[], trailer = ''): Buffer {
  const body = objects.map((object, index) => `${index + 1} 0 obj${object}\nendobj`);
  return Buffer.from(['%PDF-1.4', ...body, `trailer<</Root 1 0 R${trailer}>>`, '%%EOF'].join('\n'), 'latin1');
}

function pageText(text: string): string {
  const content = `BT /F1 24 Tf 20 100 Td (${text}) Tj ET`;
  return `<</Length ${content.length}>>stream\n${content}\nendstream`;
}

/** A PDF whose password is nobody's: its entry for the user matches no key. */
function lockedPdf(): Buffer {
  const digits = createHash('sha256').update('locked').digest('hex');
  const security = `<</Filter/Standard/V 1/R 2/P -4/O<${digits}>/U<${digits}>>>`;
  const pages = ['<</Type/Catalog/Pages 2 0 R>>', '<</Type/Pages/Kids[4 0 R]/Count 1>>', FONT, `${PAGE} 5 0 R>>`, pageText('Secret')];
  return pdf([...pages, security], `/Encrypt 6 0 R/ID[<${digits.slice(0, 32)}><${digits.slice(0, 32)}>]`);
}

/** A binary STL of two triangles. */
function stl(): Buffer {
  const bytes = Buffer.alloc(84 + 2 * 50);
  bytes.writeUInt32LE(2, 80);
  const corners = [
    [0, 0, 40, 0, 40, 20],
    [0, 0, 40, 20, 0, 20],
  ];
  corners.forEach((triangle, t) =>
    [0, 1, 2].forEach((c) =>
      [0, 1].forEach((axis) => bytes.writeFloatLE(triangle[c * 2 + axis] ?? 0, 84 + t * 50 + 12 + c * 12 + axis * 4)),
    ),
  );
  return bytes;
}

/** A binary glTF of one triangle, with a texture that lies in the file: the page asks for it as a blob. */
function glb(): Buffer {
  const image = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg==', 'base64');
  const positions = Buffer.from(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0).buffer);
  const binary = Buffer.concat([positions, image, Buffer.alloc((4 - (image.length % 4)) % 4)]);
  const document = {
    asset: { version: '2.0' },
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, material: 0 }] }],
    materials: [{ pbrMetallicRoughness: { baseColorTexture: { index: 0 } } }],
    textures: [{ source: 0 }],
    images: [{ bufferView: 1, mimeType: 'image/png' }],
    buffers: [{ byteLength: binary.length }],
    bufferViews: [
      { buffer: 0, byteLength: positions.length },
      { buffer: 0, byteOffset: positions.length, byteLength: image.length },
    ],
    accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: 'VEC3', min: [0, 0, 0], max: [1, 1, 0] }],
  };
  const text = JSON.stringify(document);
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4));
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer);
  const length = 12 + 8 + json.length + 8 + binary.length;
  return Buffer.concat([words(0x46546c67, 2, length, json.length, 0x4e4f534a), json, words(binary.length, 0x004e4942), binary]);
}

const UNKNOWN = 'application/octet-stream';
const stored = (fileName: string, mimeType: string, content: Buffer | string): FileToStore => ({
  fileName,
  mimeType,
  content: new Uint8Array(Buffer.from(content)),
});

/** Files of the kinds that the page shows, and some that it cannot show. */
export const viewedFiles: readonly FileToStore[] = [
  stored('plate.stl', UNKNOWN, stl()),
  stored('plate.glb', UNKNOWN, glb()),
  stored('cut.stl', UNKNOWN, stl().subarray(0, 150)),
  stored(
    'two.pdf',
    'application/pdf',
    pdf([
      '<</Type/Catalog/Pages 2 0 R>>',
      '<</Type/Pages/Kids[4 0 R 6 0 R]/Count 2>>',
      FONT,
      `${PAGE} 5 0 R>>`,
      pageText('First page'),
      `${PAGE} 7 0 R>>`,
      pageText('Second page'),
    ]),
  ),
  stored('locked.pdf', 'application/pdf', lockedPdf()),
  stored(
    'limits.csv',
    UNKNOWN,
    'Merkmal;Grenze;Maschine;Bemerkung\nBohrung der Scharnieraufnahme oben;125,434;Messraum;nach dem Wechsel des Werkzeugs\n',
  ),
  stored('notes.txt', 'text/plain', 'Nest 3 is worn.'),
];
