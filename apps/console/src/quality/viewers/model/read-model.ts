import {
  Box3,
  Group,
  LoadingManager,
  Mesh,
  MeshLambertMaterial,
  MeshStandardMaterial,
  Points,
  PointsMaterial,
  Vector3,
  type BufferGeometry,
  type Material,
  type Object3D,
} from 'three';
import { unzipSync } from 'three/addons/libs/fflate.module.js';
import { ThreeMFLoader } from 'three/addons/loaders/3MFLoader.js';
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { PLYLoader } from 'three/addons/loaders/PLYLoader.js';
import { STLLoader } from 'three/addons/loaders/STLLoader.js';
import { checkGltf, checkStl, ModelError, modelFormat, type ModelFormat } from './model-file';

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

/** Largest sum of the entries of a 3MF, bytes: a small archive can hold much. */
const MAX_ENTRIES_BYTES = 1_000_000_000;
/** Share of the largest extent below which another one is none. */
const FLAT = 1e-9;
/** There are no surroundings that a metal could mirror. */
const MAX_METALNESS = 0.3;

const READERS: Readonly<Record<ModelFormat, (bytes: Uint8Array<ArrayBuffer>) => Object3D | Promise<Object3D>>> = {
  stl: (bytes) => {
    checkStl(bytes);
    return drawn(new STLLoader().parse(bufferOf(bytes)), true);
  },
  ply: (bytes) => {
    const geometry = new PLYLoader().parse(bufferOf(bytes));
    return drawn(geometry, geometry.index !== null);
  },
  '3mf': (bytes) => {
    let sizeBytes = 0;
    unzipSync(bytes, { filter: ({ originalSize }) => (sizeBytes += originalSize) < 0 });
    if (sizeBytes > MAX_ENTRIES_BYTES) throw new ModelError('tooLarge');
    return new ThreeMFLoader().parse(bufferOf(bytes));
  },
  gltf: readGltf,
};

/** Reads a model. @throws ModelError */
export async function readModel(bytes: Uint8Array<ArrayBuffer>): Promise<Model> {
  try {
    return measured(await READERS[modelFormat(bytes)](bytes));
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError('broken', error instanceof Error ? error.message : '');
  }
}

async function readGltf(bytes: Uint8Array<ArrayBuffer>): Promise<Object3D> {
  checkGltf(bytes);
  const urls: string[] = [];
  const manager = new LoadingManager();
  // The Content-Security-Policy allows no request for `data:`.
  manager.setURLModifier((url) => {
    if (!url.startsWith('data:')) return url;
    urls.push(blobUrlOf(url));
    return urls.at(-1) ?? url;
  });
  try {
    const { scene } = await new GLTFLoader(manager).parseAsync(bufferOf(bytes), '');
    // In glTF y points up.
    scene.rotateX(Math.PI / 2);
    return scene;
  } finally {
    for (const url of urls) URL.revokeObjectURL(url);
  }
}

function blobUrlOf(dataUrl: string): string {
  const [head = '', data = ''] = dataUrl.slice('data:'.length).split(',', 2);
  const text = /;base64$/i.test(head) ? atob(data) : decodeURIComponent(data);
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: head.split(';')[0] ?? '' }));
}

function drawn(geometry: BufferGeometry, isSurface: boolean): Object3D {
  const hasColors = geometry.hasAttribute('color');
  if (!isSurface) return new Points(geometry, new PointsMaterial({ size: 2, sizeAttenuation: false, vertexColors: hasColors }));
  return new Mesh(geometry, new MeshLambertMaterial({ vertexColors: hasColors }));
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

function bufferOf({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>): ArrayBuffer {
  return byteLength === buffer.byteLength ? buffer : buffer.slice(byteOffset, byteOffset + byteLength);
}
