import {
  Box3,
  BufferAttribute,
  BufferGeometry,
  Group,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  Sphere,
  Vector3,
  type Material,
  type Object3D,
} from 'three';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { Geometry, ParsedModel } from './geometry';
import { ModelError } from './model-file';
import type { ModelAnswer } from './model-worker';

/** A model as it is drawn: z points up. */
export interface Model {
  object: Object3D;
  triangles: number;
  /** Points of a cloud, which has no triangles. */
  points: number;
  box: Box3;
  /** Extent along x, y and z in the unit of the file. */
  size: readonly [x: number, y: number, z: number];
  /** Materials that have no colour of their own. */
  plain: readonly (MeshLambertMaterial | PointsMaterial)[];
}

/** Share of the largest extent below which another one is none. */
const FLAT = 1e-9;
/** There are no surroundings that a metal could mirror. */
const MAX_METALNESS = 0.3;

/** Reads a model, most of it in a worker, which ends with the signal. @throws ModelError */
export async function readModel(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<Model> {
  const parsed = await parseInWorker(bytes, signal);
  try {
    return measured('glb' in parsed ? await readGlb(parsed.glb) : drawn(parsed.geometry));
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError('broken', error instanceof Error ? error.message : '');
  }
}

async function parseInWorker(bytes: Uint8Array<ArrayBuffer>, signal: AbortSignal): Promise<ParsedModel> {
  const worker = new Worker(new URL('model-worker.ts', import.meta.url), { type: 'module' });
  try {
    return await new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      worker.addEventListener('error', ({ message = '' }) => reject(new Error(message)));
      worker.addEventListener('message', ({ data }: MessageEvent<ModelAnswer>) => {
        if ('model' in data) resolve(data.model);
        else reject(new ModelError(data.problem, data.detail));
      });
      // The bytes stay for the next time that the model is read.
      worker.postMessage(bytes);
    });
  } finally {
    worker.terminate();
  }
}

async function readGlb({ buffer }: Uint8Array<ArrayBuffer>): Promise<Object3D> {
  const { scene } = await new GLTFLoader().parseAsync(buffer, '');
  // The y axis of glTF points up.
  scene.rotateX(Math.PI / 2);
  return scene;
}

function drawn({ isSurface, positions, colors, index, box }: Geometry): Object3D {
  const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(positions, 3));
  if (colors) geometry.setAttribute('color', new BufferAttribute(colors.values, 3, colors.isNormalized));
  if (index) geometry.setIndex(new BufferAttribute(index, 1));
  // Known, so that the page does not go through all corners.
  geometry.boundingBox = new Box3(new Vector3(...box.min), new Vector3(...box.max));
  geometry.boundingSphere = geometry.boundingBox.getBoundingSphere(new Sphere());
  const vertexColors = colors !== undefined;
  if (!isSurface) return new Points(geometry, new PointsMaterial({ size: 2, sizeAttenuation: false, vertexColors }));
  return new Mesh(geometry, new MeshLambertMaterial({ vertexColors }));
}

/** Counts and measures a model, and gives it materials that can be drawn. @throws ModelError */
function measured(content: Object3D): Model {
  const object = new Group().add(content);
  const plain: (MeshLambertMaterial | PointsMaterial)[] = [];
  let [triangles, points] = [0, 0];
  object.traverse((each) => {
    if (!(each instanceof Mesh || each instanceof Points)) return;
    const geometry = each.geometry as BufferGeometry;
    const corners = geometry.index?.count ?? geometry.getAttribute('position')?.count ?? 0;
    if (each instanceof Mesh) triangles += Math.floor(corners / 3);
    else points += corners;
    for (const material of [each.material].flat() as Material[]) prepare(material, geometry, plain);
  });
  if (triangles + points === 0) throw new ModelError('empty');
  object.updateMatrixWorld(true);
  const box = new Box3().setFromObject(object);
  const extents = box.getSize(new Vector3()).toArray();
  if (!extents.every(Number.isFinite)) throw new ModelError('broken');
  // A plane that was turned is no longer exactly flat.
  const least = Math.max(...extents) * FLAT;
  const [x = 0, y = 0, z = 0] = extents.map((extent) => (extent < least ? 0 : extent));
  return { object, triangles, points, box, size: [x, y, z], plain };
}

function prepare(material: Material, geometry: BufferGeometry, plain: (MeshLambertMaterial | PointsMaterial)[]): void {
  if (material instanceof MeshStandardMaterial) material.metalness = Math.min(material.metalness, MAX_METALNESS);
  if (material instanceof MeshLambertMaterial) {
    // The sides of a surface are often mixed up, and its normals are often missing or zero.
    material.side = 2;
    material.flatShading = true;
    geometry.deleteAttribute('normal');
  }
  if ((material instanceof MeshLambertMaterial || material instanceof PointsMaterial) && !material.vertexColors) plain.push(material);
}
