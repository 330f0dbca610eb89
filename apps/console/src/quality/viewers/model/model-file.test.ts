import { describe, expect, it } from '@jest/globals';
import { checkPly, checkStl, modelFormat } from './model-file';

const bytesOf = (text: string) => new TextEncoder().encode(text);

/** A binary STL that names more triangles than it may hold. */
function binaryStl(named: number, held: number): Uint8Array {
  const bytes = new Uint8Array(84 + held * 50);
  new DataView(bytes.buffer).setUint32(80, named, true);
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
    ['a text', bytesOf('solid a\nfacet normal 0 0 1\nendsolid')],
    ['a text without triangles', bytesOf('solid a\nendsolid a')],
  ])('with %s is read', (_name, bytes) => {
    expect(() => checkStl(bytes)).not.toThrow();
  });

  it.each([
    ['fewer triangles than it names', binaryStl(3, 2)],
    ['an incomplete head', bytesOf('STL')],
    ['a text that is cut', bytesOf('solid a\nfacet normal 0 0 1\nouter loop')],
    ['a binary form that begins with solid, and is cut', Uint8Array.from([...bytesOf('solid'), ...binaryStl(9, 1).subarray(5)])],
  ])('with %s is refused', (_name, bytes) => {
    expect(() => checkStl(bytes)).toThrow('broken');
  });
});

describe('a PLY', () => {
  const head = (format: string) => `ply\nformat ${format} 1.0\nelement vertex 2\nproperty float x\nelement face 1\nend_header\n`;

  it.each([
    ['as text with a line for each element', `${head('ascii')}0\n\n1\r\n3 0 1 1`],
    ['in bytes, whose reader finds what is missing', head('binary_little_endian')],
  ])('%s is read', (_name, text) => {
    expect(() => checkPly(bytesOf(text))).not.toThrow();
  });

  it.each([
    ['without the end of its head', 'ply\nformat ascii 1.0\n', 'broken'],
    ['as text that is cut', `${head('ascii')}0\n1\n`, 'broken'],
    ['as text that is too large for its reader', head('ascii').padEnd(60_000_001, '0\n'), 'textTooLarge'],
  ])('%s is refused', (_name, text, problem) => {
    expect(() => checkPly(bytesOf(text))).toThrow(problem);
  });
});
