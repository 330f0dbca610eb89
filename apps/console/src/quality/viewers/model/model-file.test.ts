import { describe, expect, it } from '@jest/globals';
import { checkGltf, checkStl, modelFormat } from './model-file';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A binary STL that names more triangles than it may hold. */
function binaryStl(named: number, held: number): Uint8Array {
  const bytes = new Uint8Array(84 + held * 50);
  new DataView(bytes.buffer).setUint32(80, named, true);
  return bytes;
}

/** A glTF in its binary form. */
function glb(document: unknown): Uint8Array {
  const json = bytesOf(JSON.stringify(document));
  const bytes = new Uint8Array(20 + json.length);
  const view = new DataView(bytes.buffer);
  [0x46546c67, 2, bytes.length, json.length, 0x4e4f534a].forEach((word, index) => view.setUint32(index * 4, word, true));
  bytes.set(json, 20);
  return bytes;
}

describe('format of a model', () => {
  it.each([
    ['glTF\u0002', 'gltf'],
    [' {"asset":{}}', 'gltf'],
    ['\uFEFF{"asset":{}}', 'gltf'],
    ['PK\u0003\u0004', '3mf'],
    ['ply\nformat ascii 1.0', 'ply'],
    ['solid a', 'stl'],
    ['', 'stl'],
  ])('of %j is %s', (beginning, format) => {
    expect(modelFormat(bytesOf(beginning))).toBe(format);
  });
});

describe('an STL', () => {
  it.each([
    ['all its triangles', binaryStl(2, 2)],
    ['bytes behind its triangles', binaryStl(1, 2)],
    ['a text', bytesOf('solid a\nfacet normal 0 0 1')],
    ['a text without triangles', bytesOf('solid a\nendsolid a')],
  ])('with %s is read', (_name, bytes) => {
    expect(() => checkStl(bytes)).not.toThrow();
  });

  it.each([
    ['fewer triangles than it names', binaryStl(3, 2)],
    ['an incomplete head', bytesOf('STL')],
    ['a binary form that begins with solid, and is cut', Uint8Array.from([...bytesOf('solid'), ...binaryStl(9, 1).subarray(5)])],
  ])('with %s is refused', (_name, bytes) => {
    expect(() => checkStl(bytes)).toThrow('broken');
  });
});

describe('a glTF', () => {
  const asset = { version: '2.0' };
  const DATA = 'data:application/octet-stream;base64,AA==';

  it.each([
    ['data of its own', { asset, buffers: [{ uri: DATA }], images: [{}] }],
    ['compressed textures that it can do without', { asset, extensionsUsed: ['KHR_texture_basisu'] }],
  ])('with %s is read, as text and as bytes', (_name, document) => {
    expect(() => checkGltf(bytesOf(JSON.stringify(document)))).not.toThrow();
    expect(() => checkGltf(glb(document))).not.toThrow();
  });

  it.each([
    ['external: frame.bin', { asset, buffers: [{ uri: 'frame.bin' }] }],
    ['external: a.png, b.png', { asset, images: [{ uri: 'a.png' }, { uri: 'b.png' }] }],
    ['compressedGeometry: KHR_draco_mesh_compression', { asset, extensionsUsed: ['KHR_draco_mesh_compression'] }],
    ['compressedGeometry: EXT_meshopt_compression', { asset, extensionsUsed: ['EXT_meshopt_compression'] }],
    ['compressedTextures: KTX2', { asset, extensionsUsed: ['KHR_texture_basisu'], extensionsRequired: ['KHR_texture_basisu'] }],
    ['broken', { buffers: [] }],
    ['broken', null],
  ])('is refused: %s', (problem, document) => {
    expect(() => checkGltf(bytesOf(JSON.stringify(document)))).toThrow(problem);
    expect(() => checkGltf(glb(document))).toThrow(problem);
  });

  it('is refused when it is no JSON, or its binary form is cut', () => {
    expect(() => checkGltf(bytesOf('{"asset":'))).toThrow('broken');
    expect(() => checkGltf(glb({ asset }).subarray(0, 24))).toThrow('broken');
  });
});
