/** Formats of models that are shown. */
export type ModelFormat = 'stl' | 'ply' | '3mf' | 'gltf';

/** Why a model cannot be shown. */
export type ModelProblem = 'broken' | 'empty' | 'external' | 'compressedGeometry' | 'compressedTextures' | 'tooLarge';

/** A model that cannot be shown. */
export class ModelError extends Error {
  readonly problem: ModelProblem;
  /** What is meant, such as the name of a file that is missing. */
  readonly detail: string;

  constructor(problem: ModelProblem, detail = '') {
    super(detail === '' ? problem : `${problem}: ${detail}`);
    this.name = 'ModelError';
    this.problem = problem;
    this.detail = detail;
  }
}

const STL_HEAD_BYTES = 84;
const STL_TRIANGLE_BYTES = 50;
/** Letters in which a text in STL names its first triangle. */
const STL_TEXT_LETTERS = 1000;
const GLB_MAGIC = 0x46546c67;
const GLB_JSON = 0x4e4f534a;
const GLB_HEAD_BYTES = 20;

/** Determines the format by the first bytes: names and types are often wrong. */
export function modelFormat(bytes: Uint8Array): ModelFormat {
  const beginning = String.fromCharCode(...bytes.subarray(0, 64)).trimStart();
  if (beginning.startsWith('glTF') || beginning.replace(/^ï»¿/, '').trimStart().startsWith('{')) return 'gltf';
  if (beginning.startsWith('PK')) return '3mf';
  return /^ply\s/.test(beginning) ? 'ply' : 'stl';
}

/** Checks that an STL holds all triangles that it names. @throws ModelError */
export function checkStl(bytes: Uint8Array): void {
  const text = String.fromCharCode(...bytes.subarray(0, STL_TEXT_LETTERS));
  if (/^\s*solid/.test(text) && /\bfacet\b|\bendsolid\b/.test(text)) return;
  if (bytes.length < STL_HEAD_BYTES) throw new ModelError('broken');
  const triangles = viewOf(bytes).getUint32(STL_HEAD_BYTES - 4, true);
  if (STL_HEAD_BYTES + triangles * STL_TRIANGLE_BYTES > bytes.length) throw new ModelError('broken');
}

interface GltfDocument {
  asset?: unknown;
  buffers?: { uri?: string }[];
  images?: { uri?: string }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

/** Checks that a glTF is complete in one file and uses nothing that the page cannot read. @throws ModelError */
export function checkGltf(bytes: Uint8Array): void {
  const document = gltfDocument(bytes);
  const files = [...(document.buffers ?? []), ...(document.images ?? [])]
    .map(({ uri }) => uri)
    .filter((uri) => uri !== undefined && !/^data:/i.test(uri));
  if (files.length > 0) throw new ModelError('external', files.slice(0, 3).join(', '));
  const [used, required] = [document.extensionsUsed ?? [], document.extensionsRequired ?? []];
  const geometry = used.find((name) => /^(KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression)$/.test(name));
  if (geometry !== undefined) throw new ModelError('compressedGeometry', geometry);
  if (required.includes('KHR_texture_basisu')) throw new ModelError('compressedTextures', 'KTX2');
}

function gltfDocument(bytes: Uint8Array): GltfDocument {
  const view = viewOf(bytes);
  try {
    const isBinary = bytes.length >= GLB_HEAD_BYTES && view.getUint32(0, true) === GLB_MAGIC;
    // The first chunk of the binary form is the document.
    if (isBinary && view.getUint32(16, true) !== GLB_JSON) throw new ModelError('broken');
    const text = isBinary ? bytes.subarray(GLB_HEAD_BYTES, GLB_HEAD_BYTES + view.getUint32(12, true)) : bytes;
    const document = JSON.parse(new TextDecoder().decode(text)) as GltfDocument | null;
    if (document?.asset === undefined) throw new ModelError('broken');
    return document;
  } catch (error) {
    throw error instanceof ModelError ? error : new ModelError('broken');
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
