import { describe, expect, it, jest } from '@jest/globals';
import { parseModel } from './parse-model';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const PLY = 'ply\nformat ascii 1.0\nelement vertex 3\nproperty double x\nproperty double y\nproperty double z\nproperty uchar red\n';
const BODY = 'property uchar green\nproperty uchar blue\nend_header\n0 0 0 255 0 0\n4 0 0 255 0 0\n0 2 1 255 0 0\n';
const FACET = 'facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n';

describe('a model', () => {
  it('in STL has its corners and its box', () => {
    const { geometry } = parseModel(bytesOf(`solid a\n${FACET}endsolid a\n`)) as { geometry: object };
    expect(geometry).toEqual({
      isSurface: true,
      positions: Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0),
      box: { min: [0, 0, 0], max: [1, 1, 0] },
    });
  });

  it('of points has floats, which the graphics can draw, and their colours', () => {
    const { geometry } = parseModel(bytesOf(PLY + BODY)) as { geometry: object };
    expect(geometry).toMatchObject({
      isSurface: false,
      positions: Float32Array.of(0, 0, 0, 4, 0, 0, 0, 2, 1),
      colors: { isNormalized: true, values: Uint8Array.of(255, 0, 0, 255, 0, 0, 255, 0, 0) },
      box: { min: [0, 0, 0], max: [4, 2, 1] },
    });
  });

  it.each([
    ['without triangles', bytesOf(`solid ${'a'.repeat(90)}\nendsolid`), 'empty'],
    ['whose bytes are cut', bytesOf((PLY + BODY).replace('ascii', 'binary_little_endian').slice(0, -30)), 'broken'],
    ['with corners that are no numbers', bytesOf(PLY + BODY.replace('4 0 0', 'a 0 0')), 'broken'],
    ['in an archive that is cut', bytesOf('PK\u0003\u0004'), 'broken'],
    ['of other bytes', Uint8Array.from({ length: 200 }, (_, i) => i), 'broken'],
  ])('%s is refused', (_what, bytes, problem) => {
    // The library reports numbers that are none.
    jest.spyOn(console, 'error').mockReturnValue(undefined);
    expect(() => parseModel(bytes)).toThrow(problem);
  });
});
