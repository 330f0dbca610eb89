/** Formats of models that are shown. */
export type ModelFormat = 'stl' | 'ply' | '3mf' | 'gltf';

/** Why a model cannot be shown. */
export type ModelProblem =
  'broken' | 'empty' | 'external' | 'compressedGeometry' | 'compressedTextures' | 'tooLarge' | 'textTooLarge' | 'outOfMemory';

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
const LINE_FEED = 0x0a;
const SPACE = 0x20;
/** Bytes in which the head of a PLY ends. */
const PLY_HEAD_BYTES = 100_000;
/** Largest PLY as text, bytes: its reader holds every number as a text of its own. */
const MAX_PLY_TEXT_BYTES = 60_000_000;

/** Determines the format by the first bytes: names and types are often wrong. */
export function modelFormat(bytes: Uint8Array): ModelFormat {
  const beginning = String.fromCharCode(...bytes.subarray(0, 64)).trimStart();
  if (beginning.startsWith('glTF') || beginning.replace(/^ï»¿/, '').trimStart().startsWith('{')) return 'gltf';
  if (beginning.startsWith('PK')) return '3mf';
  return /^ply\s/.test(beginning) ? 'ply' : 'stl';
}

/** Checks that an STL holds all triangles that it names; as text, that it has an end. @throws ModelError */
export function checkStl(bytes: Uint8Array): void {
  const text = String.fromCharCode(...bytes.subarray(0, STL_TEXT_LETTERS));
  if (/^\s*solid/.test(text) && /\bfacet\b|\bendsolid\b/.test(text)) {
    if (!String.fromCharCode(...bytes.subarray(-STL_TEXT_LETTERS)).includes('endsolid')) throw new ModelError('broken');
    return;
  }
  if (bytes.length < STL_HEAD_BYTES) throw new ModelError('broken');
  const triangles = viewOf(bytes).getUint32(STL_HEAD_BYTES - 4, true);
  if (STL_HEAD_BYTES + triangles * STL_TRIANGLE_BYTES > bytes.length) throw new ModelError('broken');
}

/** Checks that a PLY as text has a line for each of its elements, and is not too large. @throws ModelError */
export function checkPly(bytes: Uint8Array): void {
  const head = /^[^]*?\bend_header\s*?\n/.exec(String.fromCharCode(...bytes.subarray(0, PLY_HEAD_BYTES)))?.[0];
  if (head === undefined) throw new ModelError('broken');
  if (!/^format\s+ascii\b/m.test(head)) return;
  if (bytes.length > MAX_PLY_TEXT_BYTES) throw new ModelError('textTooLarge');
  const elements = [...head.matchAll(/^element\s+\S+\s+(\d+)/gm)].reduce((sum, [, count]) => sum + Number(count), 0);
  if (linesIn(bytes.subarray(head.length)) < elements) throw new ModelError('broken');
}

/** Counts lines that are not empty. */
function linesIn(bytes: Uint8Array): number {
  let lines = 0;
  let isEmpty = true;
  for (const byte of bytes) {
    if (byte === LINE_FEED) isEmpty = true;
    else if (isEmpty && byte > SPACE) {
      isEmpty = false;
      lines += 1;
    }
  }
  return lines;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
