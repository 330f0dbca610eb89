import { Color, Matrix4, SRGBColorSpace, Vector3 } from 'three';
import { unzipSync } from 'three/addons/libs/fflate.module.js';
import { ModelError } from './model-file';

/** Largest sum of the models in an archive, bytes: a small archive can hold much. */
const MAX_MODELS_BYTES = 1_000_000_000;
/** Most triangles of a model; a few parts that repeat each other can stand for more. */
const MAX_TRIANGLES = 20_000_000;
const CHUNK_BYTES = 1_000_000;
/** Longest tag or comment. */
const MAX_TAG_LETTERS = 10_000_000;
/** Bytes in which the last tag is looked for. */
const MAX_END_BYTES = 1000;
/** A comment, or the first tag of an element with its name and attributes. */
const TAG = /<!--[^]*?-->|<(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w.:-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*\/?>/g;
const ATTRIBUTE = /(?:[\w.-]+:)?([\w.-]+)\s*=\s*["']([^"']*)["']/g;
/** Colour of triangles without one in a model where others have one. */
const NO_COLOR: Rgb = [0.5, 0.5, 0.5];

type Rgb = readonly [red: number, green: number, blue: number];
type Attributes = Readonly<Record<string, string>>;

/** An object of the archive: a mesh, or other objects in their positions. */
interface ObjectOf3mf {
  vertices: number[];
  /** Numbers of three vertices for each triangle. */
  triangles: number[];
  /** Keys of the colours of the corners; empty without colours. */
  colors: (string | undefined)[];
  color: { group: string | undefined; index: string | undefined };
  components: Placed[];
  /** Triangles with those of its components, once they are counted. */
  count?: number | 'counting';
}

interface Placed {
  key: string;
  matrix: Matrix4;
}

interface Archive {
  objects: Map<string, ObjectOf3mf>;
  items: Placed[];
  colors: Map<string, Rgb>;
}

/**
 * Reads the triangles of a 3MF with their colours; textures and lattices are left out.
 * The loader of three.js makes a DOM of the XML, which workers lack, and which takes ten times its memory;
 * a parser that checks all of the XML takes a minute for the largest files.
 * @throws ModelError
 */
export function read3mf(bytes: Uint8Array): { positions: Float32Array<ArrayBuffer>; colors?: Float32Array<ArrayBuffer> } {
  const archive: Archive = { objects: new Map(), items: [], colors: new Map() };
  for (const [path, xml] of modelsIn(bytes)) readXml(archive, path, xml);
  const total = archive.items.reduce((sum, { key }) => sum + countTriangles(archive, key), 0);
  if (total > MAX_TRIANGLES) throw new ModelError('tooLarge');
  const positions = new Float32Array(total * 9);
  const colors = archive.colors.size > 0 ? new Float32Array(total * 9) : undefined;
  let at = 0;
  const corner = new Vector3();
  const write = ({ key, matrix }: Placed): void => {
    const object = archive.objects.get(key);
    if (object === undefined || object.count === 0) return;
    const { vertices, triangles } = object;
    for (const [index, vertex] of triangles.entries()) {
      if (vertex * 3 + 2 >= vertices.length) throw new ModelError('broken');
      corner
        .fromArray(vertices, vertex * 3)
        .applyMatrix4(matrix)
        .toArray(positions, at);
      colors?.set(archive.colors.get(object.colors[index] ?? '') ?? NO_COLOR, at);
      at += 3;
    }
    for (const component of object.components) write({ key: component.key, matrix: matrix.clone().multiply(component.matrix) });
  };
  archive.items.forEach(write);
  return { positions, ...(colors && { colors }) };
}

/** Reads the models of an archive, by their paths. */
function modelsIn(bytes: Uint8Array): [path: string, xml: Uint8Array][] {
  let sizeBytes = 0;
  const filter = ({ name, originalSize }: { name: string; originalSize: number }) => {
    if (!/^\/?3D\/.*\.model$/i.test(name)) return false;
    sizeBytes += originalSize;
    if (sizeBytes > MAX_MODELS_BYTES) throw new ModelError('tooLarge');
    return true;
  };
  const models = Object.entries(unzipSync(bytes, { filter }));
  if (models.length === 0) throw new ModelError('broken');
  return models;
}

function readXml({ objects, items, colors }: Archive, path: string, xml: Uint8Array): void {
  const keyOf = (id: string | undefined, file = path) => `${file.replace(/^\//, '')}#${id}`;
  const placed = (attributes: Attributes): Placed => ({
    key: keyOf(attributes['objectid'], attributes['path']),
    matrix: matrixOf(attributes['transform']),
  });
  let object: ObjectOf3mf | undefined;
  let group = '';
  let groupSize = 0;
  const open = (name: string, attributes: Attributes) => {
    switch (name) {
      case 'object':
        object = {
          vertices: [],
          triangles: [],
          colors: [],
          color: { group: attributes['pid'], index: attributes['pindex'] },
          components: [],
        };
        return objects.set(keyOf(attributes['id']), object);
      case 'vertex':
        return object?.vertices.push(Number(attributes['x']), Number(attributes['y']), Number(attributes['z']));
      case 'triangle':
        return object && addTriangle(object, attributes, keyOf);
      case 'component':
        return object?.components.push(placed(attributes));
      case 'item':
        return items.push(placed(attributes));
      case 'basematerials':
      case 'colorgroup':
        [group, groupSize] = [attributes['id'] ?? '', 0];
        return undefined;
      case 'base':
      case 'color':
        return colors.set(`${keyOf(group)}/${groupSize++}`, rgbOf(attributes['displaycolor'] ?? attributes['color'] ?? ''));
      default:
        return undefined;
    }
  };
  parse(xml, open);
}

/** Adds a triangle; one that names no colour has that of its object. */
function addTriangle({ triangles, colors, color }: ObjectOf3mf, attributes: Attributes, keyOf: (id: string) => string): void {
  const { v1, v2, v3, pid = color.group, p1 = color.index, p2 = p1, p3 = p1 } = attributes;
  const [first, second, third] = [Number(v1), Number(v2), Number(v3)];
  if (!(first >= 0 && second >= 0 && third >= 0)) throw new ModelError('broken');
  triangles.push(first, second, third);
  if (pid === undefined) return;
  // Triangles before this one had no colour.
  colors.length = triangles.length - 3;
  for (const index of [p1, p2, p3]) colors.push(`${keyOf(pid)}/${index}`);
}

/** Counts the triangles of an object with those of its components. @throws ModelError where an object contains itself */
function countTriangles(archive: Archive, key: string): number {
  const object = archive.objects.get(key);
  if (object === undefined || object.count === 'counting') throw new ModelError('broken');
  if (object.count !== undefined) return object.count;
  object.count = 'counting';
  const below = object.components.reduce((sum, component) => sum + countTriangles(archive, component.key), 0);
  object.count = object.triangles.length / 3 + below;
  return object.count;
}

/** Calls back with each element, without the prefix of its name and of those of its attributes. @throws ModelError */
function parse(xml: Uint8Array, open: (name: string, attributes: Attributes) => void): void {
  const decoder = new TextDecoder();
  let text = '';
  for (let from = 0; from < xml.length; from += CHUNK_BYTES) {
    text += decoder.decode(xml.subarray(from, from + CHUNK_BYTES), { stream: true });
    let read = 0;
    for (const { 0: tag, 1: name, 2: attributes = '', index } of text.matchAll(TAG)) {
      read = index + tag.length;
      if (name !== undefined) open(name, attributesIn(attributes));
    }
    // The rest is the beginning of a tag, or text before it.
    text = text.slice(read);
    if (text.length > MAX_TAG_LETTERS) throw new ModelError('broken');
  }
  const end = decoder.decode(xml.subarray(-MAX_END_BYTES));
  if (!/<\/(\w+:)?model\s*>\s*$/.test(end)) throw new ModelError('broken');
}

function attributesIn(text: string): Attributes {
  const attributes: Record<string, string> = {};
  for (const [, name = '', value = ''] of text.matchAll(ATTRIBUTE)) attributes[name] = value;
  return attributes;
}

/** A transformation of 12 numbers, row after row; none without them. */
function matrixOf(text: string | undefined): Matrix4 {
  if (text === undefined) return new Matrix4();
  const numbers = text.trim().split(/\s+/).map(Number);
  if (numbers.length !== 12 || !numbers.every(Number.isFinite)) throw new ModelError('broken');
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0, g = 0, h = 0, i = 0, x = 0, y = 0, z = 0] = numbers;
  return new Matrix4(a, d, g, x, b, e, h, y, c, f, i, z, 0, 0, 0, 1);
}

/** A colour such as `#00FF00` or `#00FF00FF`. */
function rgbOf(text: string): Rgb {
  const { r, g, b } = new Color().setStyle(/^#[\da-f]{6}/i.exec(text)?.[0] ?? 'grey', SRGBColorSpace);
  return [r, g, b];
}
