import { BufferAttribute, BufferGeometry } from 'three';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import type { Geometry, ParsedModel } from './geometry';
import { packGltf } from './gltf-file';
import { checkPly, checkStl, ModelError, modelFormat, type ModelFormat } from './model-file';
import { read3mf } from './read-3mf';

/** What engines say when an array or a text is larger than they or the memory allow. */
const OUT_OF_MEMORY = /allocation failed|out of memory|invalid (typed )?array length|invalid string length|call stack/i;

const READERS: Readonly<Record<ModelFormat, (bytes: Uint8Array<ArrayBuffer>) => ParsedModel>> = {
  stl: (bytes) => {
    checkStl(bytes);
    return { geometry: geometryOf(new STLLoader().parse(bytes.buffer)) };
  },
  ply: (bytes) => {
    checkPly(bytes);
    const geometry = new PLYLoader().parse(bytes.buffer);
    return { geometry: geometryOf(geometry, geometry.index !== null) };
  },
  '3mf': (bytes) => {
    const { positions, colors } = read3mf(bytes);
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
    if (colors) geometry.setAttribute('color', new BufferAttribute(colors, 3));
    return { geometry: geometryOf(geometry) };
  },
  gltf: (bytes) => ({ glb: packGltf(bytes) }),
};

/** Reads a model as far as it needs no page. @param bytes fill their buffer @throws ModelError */
export function parseModel(bytes: Uint8Array<ArrayBuffer>): ParsedModel {
  try {
    return READERS[modelFormat(bytes)](bytes);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    const reason = error instanceof Error ? error.message : '';
    throw new ModelError(OUT_OF_MEMORY.test(reason) ? 'outOfMemory' : 'broken', reason);
  }
}

function geometryOf(geometry: BufferGeometry, isSurface = true): Geometry {
  const positions = geometry.getAttribute('position');
  const colors = geometry.hasAttribute('color') ? geometry.getAttribute('color') : undefined;
  if (positions.count === 0) throw new ModelError('empty');
  geometry.computeBoundingBox();
  const { min, max } = geometry.boundingBox ?? {};
  if (!min || !max || ![...min.toArray(), ...max.toArray()].every(Number.isFinite)) throw new ModelError('broken');
  return {
    isSurface,
    positions: positions.array instanceof Float32Array ? positions.array : new Float32Array(positions.array),
    colors: colors && { values: colors.array, isNormalized: colors.normalized },
    index: geometry.index?.array,
    box: { min: min.toArray(), max: max.toArray() },
  };
}
