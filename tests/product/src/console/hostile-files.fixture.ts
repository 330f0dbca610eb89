import { deflateSync, crc32 } from 'node:zlib';
import type { FileToStore } from '@sinebar/client';
import { zip } from '@sinebar/testing';
import sharp from 'sharp';

const MESH = '<mesh><vertices><vertex x="0" y="0" z="0"/><vertex x="1" y="0" z="0"/><vertex x="0" y="2" z="0"/></vertices>';
const TRIANGLE = `${MESH}<triangles><triangle v1="0" v2="1" v3="2"/></triangles></mesh>`;
const FACET = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';
const PLY = 'ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\nend_header\n0 0 0\n1 0 0\n';
const DAMAGED = /^This model is damaged/;

/** A file, and what the page says or shows of it. */
export interface HostileFile {
  file: FileToStore;
  said: RegExp;
}

/** A 3MF whose model is `content`. */
function archive3mf(content: string, size?: number): Buffer {
  return zip([{ name: '3D/3dmodel.model', content: `<model>${content}</model>`, ...(size !== undefined && { sizeBytes: size }) }]);
}

/** A model of one triangle that ten components repeat, each of which ten others repeat, 20 times. */
function repeated3mf(): Buffer {
  const ten = (id: number) => `<components>${`<component objectid="${id}"/>`.repeat(10)}</components>`;
  const objects = Array.from({ length: 20 }, (_, i) => `<object id="${i + 2}">${ten(i + 1)}</object>`).join('');
  return archive3mf(`<resources><object id="1">${TRIANGLE}</object>${objects}</resources><build><item objectid="21"/></build>`);
}

function gltf(document: object): Buffer {
  return Buffer.from(JSON.stringify({ asset: { version: '2.0' }, scene: 0, ...document }));
}

/** A PNG that says a size and holds a few rows. */
function png(width: number, height: number, rows: number): Buffer {
  const chunk = (type: string, data: Buffer) => {
    const body = Buffer.concat([Buffer.from(type), data]);
    const [length, crc] = [Buffer.alloc(4), Buffer.alloc(4)];
    length.writeUInt32BE(data.length);
    crc.writeUInt32BE(crc32(body));
    return Buffer.concat([length, body, crc]);
  };
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 0, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  const pixels = deflateSync(Buffer.alloc((width + 1) * rows));
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', head),
    chunk('IDAT', pixels),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function pdf(width: number, height: number): string {
  const content = 'BT /F1 900 Tf 2000 2000 Td (Wall) Tj ET';
  const objects = [
    '<</Type/Catalog/Pages 2 0 R>>',
    '<</Type/Pages/Kids[3 0 R]/Count 1>>',
    `<</Type/Page/Parent 2 0 R/MediaBox[0 0 ${width} ${height}]/Resources<</Font<</F1 5 0 R>>>>/Contents 4 0 R>>`,
    `<</Length ${content.length}>>stream\n${content}\nendstream`,
    '<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>',
  ];
  return ['%PDF-1.4', ...objects.map((object, i) => `${i + 1} 0 obj${object}\nendobj`), 'trailer<</Root 1 0 R>>', '%%EOF'].join('\n');
}

/** An SVG that would run scripts, and load pictures and styles of another server, as a document of its own. */
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" onload="document.title='run'">
<script>document.title='run'</script><style>@import url(http://elsewhere.invalid/a.css);</style>
<image href="http://elsewhere.invalid/a.png" width="9" height="9"/><foreignObject><iframe src="http://elsewhere.invalid/"/></foreignObject></svg>`;

/** Files that are broken, are not what they say, or want more than a page has. */
export async function hostileFiles(): Promise<HostileFile[]> {
  const picture = sharp({
    create: { width: 400, height: 300, channels: 3, noise: { type: 'gaussian', mean: 128, sigma: 30 }, background: '#000' },
  });
  const [jpeg, photo] = await Promise.all([picture.clone().jpeg().toBuffer(), picture.clone().png().toBuffer()]);
  const large = await sharp({ create: { width: 8660, height: 5774, channels: 3, background: '#456' } })
    .png()
    .toBuffer();
  const files: [name: string, content: Buffer | string, said: RegExp, mimeType?: string][] = [
    ['cut-text.stl', `solid a\n${FACET}${FACET.slice(0, 60)}`, DAMAGED],
    ['cut-text.ply', PLY, DAMAGED],
    ['cut-bytes.ply', PLY.replace('ascii', 'binary_little_endian'), DAMAGED],
    ['cut.3mf', archive3mf('').subarray(0, -30), DAMAGED],
    ['cut-xml.3mf', zip([{ name: '3D/3dmodel.model', content: `<model><resources><object id="1">${MESH}` }]), DAMAGED],
    ['bomb.3mf', archive3mf('<resources/>', 2_000_000_000), /too large to be drawn/],
    ['repeated.3mf', repeated3mf(), /too large to be drawn/],
    ['cut.gltf', '{"asset":{"version":"2.0"', DAMAGED],
    ['circle.gltf', gltf({ scenes: [{ nodes: [0] }], nodes: [{ children: [1] }, { children: [0] }] }), DAMAGED],
    ['numbers.gltf', gltf({ accessors: [{ count: 4_000_000_000, componentType: 5126, type: 'VEC4' }] }), /too large to be drawn/],
    ['outside.gltf', gltf({ buffers: [{ uri: 'http://elsewhere.invalid/a.bin', byteLength: 4 }] }), /keeps data in other files/],
    ['picture.stl', photo, DAMAGED],
    ['text.pdf', 'This is no PDF.', /^This PDF is damaged/],
    ['cut.pdf', pdf(300, 200).slice(0, 120), /^This PDF is damaged/],
    ['ten-metres.pdf', pdf(28_346, 28_346), /Wall/],
    ['text.png', 'This is no picture.', /cannot show this picture/],
    ['cut.png', photo.subarray(0, photo.length / 2), /damaged/],
    ['cut.jpg', jpeg.subarray(0, jpeg.length / 2), /damaged/],
    ['large.png', large, /8,660 × 5,774 pixels/],
    ['bomb.png', png(60_000, 60_000, 3), /cannot show this picture/],
    ['scripts.svg', SVG, /40 × 20 pixels/],
    ['utf-16.csv', Buffer.from('\uFEFFMaß;Grenze\n1;2\n', 'utf16le'), /Maß/],
    ['windows.csv', Buffer.from('Maß;Grenze\n1;2\n', 'latin1'), /Maß/],
    ['quote.csv', `Name;Value\n"${'a'.repeat(3_000_000)}`, /1 row, \d+ columns?/],
    ['bytes.txt', Buffer.from([1, 0, 2, 0, 0]), /^This is no text/],
    ['line.txt', 'word '.repeat(200_000), /word word/],
  ];
  return files.map(([fileName, content, said, mimeType = 'application/octet-stream']) => ({
    file: { fileName, mimeType, content: new Uint8Array(Buffer.from(content)) },
    said,
  }));
}
