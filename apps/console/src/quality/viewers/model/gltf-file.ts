import { ModelError } from './model-file';

const MAGIC = 0x46546c67;
const JSON_CHUNK = 0x4e4f534a;
const BINARY_CHUNK = 0x004e4942;
const HEAD_BYTES = 12;
const CHUNK_HEAD_BYTES = 8;
/** Most numbers that accessors make without data; a short file can name any number of them. */
const MAX_EMPTY_NUMBERS = 100_000_000;

interface Document {
  asset?: unknown;
  scenes?: { nodes?: number[] }[];
  nodes?: { children?: number[] }[];
  buffers?: { uri?: string; byteLength?: number }[];
  bufferViews?: { buffer?: number; byteOffset?: number; byteLength?: number }[];
  accessors?: { bufferView?: number; count?: number; type?: string }[];
  images?: { uri?: string; mimeType?: string; bufferView?: number }[];
  extensionsUsed?: string[];
  extensionsRequired?: string[];
}

/**
 * Makes a glTF a binary one whose buffers and images lie in its binary chunk, after it was checked to need nothing that the page lacks.
 * The Content-Security-Policy of the page allows no request for `data:`.
 * @throws ModelError
 */
export function packGltf(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  const { document, binary } = read(bytes);
  check(document);
  const inside = [...(document.buffers ?? []), ...(document.images ?? [])].filter(({ uri }) => uri !== undefined);
  return inside.length === 0 && binary !== undefined ? bytes : packed(document, binary);
}

function read(bytes: Uint8Array<ArrayBuffer>): { document: Document; binary?: Uint8Array } {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    if (view.getUint32(0, true) !== MAGIC) return { document: parse(bytes) };
    const chunks = new Map<number, Uint8Array>();
    for (let at = HEAD_BYTES; at + CHUNK_HEAD_BYTES <= bytes.length;) {
      const length = view.getUint32(at, true);
      const from = at + CHUNK_HEAD_BYTES;
      if (from + length > bytes.length) throw new ModelError('broken');
      chunks.set(view.getUint32(at + 4, true), bytes.subarray(from, from + length));
      at = from + length;
    }
    return { document: parse(chunks.get(JSON_CHUNK)), binary: chunks.get(BINARY_CHUNK) ?? new Uint8Array(0) };
  } catch (error) {
    throw error instanceof SyntaxError || error instanceof RangeError ? new ModelError('broken', error.message) : error;
  }
}

function parse(json: Uint8Array | undefined): Document {
  const document = JSON.parse(new TextDecoder().decode(json)) as Document | null;
  if (document?.asset === undefined) throw new ModelError('broken');
  return document;
}

function check({ buffers = [], images = [], accessors = [], nodes = [], scenes = [], ...document }: Document): void {
  const files = [...buffers, ...images].map(({ uri }) => uri).filter((uri) => uri !== undefined && !/^data:/i.test(uri));
  if (files.length > 0) throw new ModelError('external', files.slice(0, 3).join(', '));
  const [used, required] = [document.extensionsUsed ?? [], document.extensionsRequired ?? []];
  const geometry = used.find((name) => /^(KHR_draco_mesh_compression|(EXT|KHR)_meshopt_compression)$/.test(name));
  if (geometry !== undefined) throw new ModelError('compressedGeometry', geometry);
  if (required.includes('KHR_texture_basisu')) throw new ModelError('compressedTextures', 'KTX2');
  const numbers = accessors.filter(({ bufferView }) => bufferView === undefined).reduce((sum, { count = 0 }) => sum + count * 4, 0);
  if (numbers > MAX_EMPTY_NUMBERS) throw new ModelError('tooLarge');
  checkTree(nodes, scenes);
}

/** Checks that no node is below itself or below two others: the loader would wait for it for ever. */
function checkTree(nodes: NonNullable<Document['nodes']>, scenes: NonNullable<Document['scenes']>): void {
  const below = new Set<number>();
  for (const child of nodes.flatMap(({ children = [] }) => children)) {
    if (below.has(child)) throw new ModelError('broken');
    below.add(child);
  }
  if (scenes.some((scene) => scene.nodes?.some((node) => below.has(node)))) throw new ModelError('broken');
  // What is left after all that hangs from a root is a circle.
  const reached = nodes.map((_, node) => node).filter((node) => !below.has(node));
  for (const node of reached) reached.push(...(nodes[node]?.children ?? []));
  if (reached.length < nodes.length) throw new ModelError('broken');
}

/** Moves what stands in addresses, and the binary chunk, into one binary chunk. */
function packed(document: Document, binary: Uint8Array | undefined): Uint8Array<ArrayBuffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  const add = (piece: Uint8Array): number => {
    const at = size;
    const padding = (4 - (piece.length % 4)) % 4;
    pieces.push(piece, new Uint8Array(padding));
    size += piece.length + padding;
    return at;
  };
  const buffers = document.buffers ?? [];
  const offsets = buffers.map(({ uri }) => add(uri === undefined ? (binary ?? new Uint8Array(0)) : dataOf(uri).data));
  const views = (document.bufferViews ?? []).map((view) => ({
    ...view,
    buffer: 0,
    byteOffset: (view.byteOffset ?? 0) + (offsets[view.buffer ?? 0] ?? 0),
  }));
  const images = document.images?.map(({ uri, ...image }) => {
    if (uri === undefined) return image;
    const { type, data } = dataOf(uri);
    views.push({ buffer: 0, byteOffset: add(data), byteLength: data.length });
    return { ...image, mimeType: image.mimeType ?? type, bufferView: views.length - 1 };
  });
  const whole = { ...document, buffers: [{ byteLength: size }], bufferViews: views, ...(images && { images }) };
  return glb(new TextEncoder().encode(JSON.stringify(whole)), pieces, size);
}

function glb(json: Uint8Array, pieces: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const jsonBytes = Math.ceil(json.length / 4) * 4;
  const bytes = new Uint8Array(HEAD_BYTES + CHUNK_HEAD_BYTES + jsonBytes + CHUNK_HEAD_BYTES + size);
  const view = new DataView(bytes.buffer);
  const write = (at: number, words: readonly number[]) => words.forEach((word, index) => view.setUint32(at + index * 4, word, true));
  write(0, [MAGIC, 2, bytes.length, jsonBytes, JSON_CHUNK]);
  let at = HEAD_BYTES + CHUNK_HEAD_BYTES;
  bytes.fill(0x20, at, at + jsonBytes).set(json, at);
  at += jsonBytes;
  write(at, [size, BINARY_CHUNK]);
  at += CHUNK_HEAD_BYTES;
  for (const piece of pieces) {
    bytes.set(piece, at);
    at += piece.length;
  }
  return bytes;
}

/** Reads a `data:` address. @throws ModelError */
function dataOf(uri: string): { type: string; data: Uint8Array } {
  const comma = uri.indexOf(',');
  const head = uri.slice('data:'.length, comma);
  try {
    const text = /;base64$/i.test(head) ? atob(uri.slice(comma + 1)) : decodeURIComponent(uri.slice(comma + 1));
    const data = new Uint8Array(text.length);
    for (let i = 0; i < text.length; i += 1) data[i] = text.charCodeAt(i);
    return { type: head.split(';')[0] ?? '', data };
  } catch (error) {
    throw new ModelError('broken', error instanceof Error ? error.message : '');
  }
}
