import type { TypedArray } from 'three';

/** Corners of triangles, or points, that another thread can take over. */
export interface Geometry {
  isSurface: boolean;
  /** Three numbers for each corner. */
  positions: TypedArray;
  /** Linear red, green and blue for each corner, where the file has colours; normalized: the largest whole number stands for 1. */
  colors?: { values: TypedArray; isNormalized: boolean } | undefined;
  /** Corners of the triangles; without it, each three corners are one. */
  index?: TypedArray | undefined;
  box: { min: Corner; max: Corner };
}

export type Corner = readonly [x: number, y: number, z: number];

/** A model as far as it is read without the page: its geometry, or a binary glTF that refers to nothing outside of it. */
export type ParsedModel = { geometry: Geometry } | { glb: Uint8Array<ArrayBuffer> };
