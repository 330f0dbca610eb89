import { describe, expect, it } from '@jest/globals';
import { packGltf } from './gltf-file';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const asset = { version: '2.0' };

/** A glTF in its binary form. */
function glb(document: unknown, binary = new Uint8Array(0)): Uint8Array<ArrayBuffer> {
  const json = bytesOf(JSON.stringify(document));
  const bytes = new Uint8Array(28 + json.length + binary.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a].forEach((word, index) => view.setUint32(index * 4, word, true));
  bytes.set(json, 20);
  view.setUint32(20 + json.length, binary.length, true);
  view.setUint32(24 + json.length, 0x004e4942, true);
  bytes.set(binary, 28 + json.length);
  return bytes;
}

/** Document and binary chunk of a binary glTF. */
function chunksOf(bytes: Uint8Array): { document: unknown; binary: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  expect(view.getUint32(8, true)).toBe(bytes.length);
  const length = view.getUint32(12, true);
  return { document: JSON.parse(new TextDecoder().decode(bytes.subarray(20, 20 + length))), binary: bytes.subarray(28 + length) };
}

describe('a glTF', () => {
  it('in its binary form, with all in its chunk, stays as it is', () => {
    const bytes = glb({ asset, buffers: [{ byteLength: 1 }] }, Uint8Array.of(7));
    expect(packGltf(bytes)).toBe(bytes);
  });

  it('with buffers and pictures in addresses gets them into its chunk', () => {
    const document = {
      asset,
      buffers: [{ byteLength: 3 }, { uri: 'data:application/octet-stream;base64,BAU=', byteLength: 2 }],
      bufferViews: [
        { buffer: 0, byteLength: 3 },
        { buffer: 1, byteOffset: 1, byteLength: 1 },
      ],
      images: [{ uri: 'data:image/png,a%00b' }],
    };
    const packed = chunksOf(packGltf(glb(document, Uint8Array.of(1, 2, 3))));
    expect([...packed.binary]).toEqual([1, 2, 3, 0, 4, 5, 0, 0, 0x61, 0, 0x62, 0]);
    expect(packed.document).toMatchObject({
      buffers: [{ byteLength: 12 }],
      bufferViews: [
        { buffer: 0, byteOffset: 0 },
        { buffer: 0, byteOffset: 5, byteLength: 1 },
        { buffer: 0, byteOffset: 8, byteLength: 3 },
      ],
      images: [{ mimeType: 'image/png', bufferView: 2 }],
    });
  });

  it('as text becomes a binary one', () => {
    const text = bytesOf(JSON.stringify({ asset, buffers: [{ uri: 'data:;base64,AQ==', byteLength: 1 }] }));
    expect([...chunksOf(packGltf(text)).binary]).toEqual([1, 0, 0, 0]);
  });

  it.each([
    ['external: frame.bin', { asset, buffers: [{ uri: 'frame.bin' }] }],
    ['external: https://a/a.png, b.png', { asset, images: [{ uri: 'https://a/a.png' }, { uri: 'b.png' }] }],
    ['compressedGeometry: KHR_draco_mesh_compression', { asset, extensionsUsed: ['KHR_draco_mesh_compression'] }],
    ['compressedGeometry: EXT_meshopt_compression', { asset, extensionsUsed: ['EXT_meshopt_compression'] }],
    ['compressedTextures: KTX2', { asset, extensionsUsed: ['KHR_texture_basisu'], extensionsRequired: ['KHR_texture_basisu'] }],
    ['broken', { asset, buffers: [{ uri: 'data:;base64,%%%' }] }],
    ['broken', { buffers: [] }],
    ['broken', null],
    ['tooLarge', { asset, accessors: [{ count: 1_000_000_000, type: 'VEC3' }] }],
    ['broken', { asset, nodes: [{ children: [0] }] }],
    ['broken', { asset, nodes: [{ children: [1] }, { children: [0] }], scenes: [{ nodes: [0] }] }],
    ['broken', { asset, nodes: [{ children: [1] }, { children: [2] }, { children: [1] }] }],
    ['broken', { asset, nodes: [{ children: [1] }, {}], scenes: [{ nodes: [0, 1] }] }],
  ])('is refused: %s', (problem, document) => {
    expect(() => packGltf(bytesOf(JSON.stringify(document)))).toThrow(problem);
    expect(() => packGltf(glb(document))).toThrow(problem);
  });

  it('with textures that it can do without compressed, and nodes below each other, is read', () => {
    const nodes = [{ children: [1, 2] }, {}, { children: [3] }, {}];
    expect(() => packGltf(glb({ asset, extensionsUsed: ['KHR_texture_basisu'], nodes, scenes: [{ nodes: [0] }] }))).not.toThrow();
  });

  it('is refused when it is no JSON, or its binary form is cut', () => {
    expect(() => packGltf(bytesOf('{"asset":'))).toThrow('broken');
    expect(() => packGltf(glb({ asset }).slice(0, 24))).toThrow('broken');
    expect(() => packGltf(glb({ asset }, new Uint8Array(8)).slice(0, -1))).toThrow('broken');
  });
});
