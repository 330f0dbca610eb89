import { describe, expect, it } from '@jest/globals';
import { fileKind, pictureType, typeToStore } from './file-kind';

describe('kind of a file', () => {
  it.each([
    ['image/png', 'a', 'picture'],
    ['image/svg+xml', 'a.svg', 'picture'],
    ['image/x-icon', 'a.ico', 'other'],
    ['application/pdf', 'a', 'pdf'],
    ['text/csv; charset=utf-8', 'a', 'table'],
    ['text/tab-separated-values', 'a', 'table'],
    ['text/plain', 'a.csv', 'text'],
    ['application/json', 'a', 'text'],
    ['application/zip', 'a', 'archive'],
    ['application/x-zip-compressed', 'a', 'archive'],
    ['application/octet-stream', 'a.PDF', 'pdf'],
    ['application/octet-stream', 'a.zip', 'archive'],
    ['application/octet-stream', 'a.csv', 'table'],
    ['application/octet-stream', 'a.jpeg', 'picture'],
    ['application/octet-stream', 'a.stl', 'model'],
    ['application/octet-stream', 'a.GLB', 'model'],
    ['', 'a.3mf', 'model'],
    ['model/stl', 'a.txt', 'model'],
    ['model/gltf+json', 'a', 'model'],
    ['model/gltf-binary', 'a', 'model'],
    ['application/vnd.ms-package.3dmanufacturing-3dmodel+xml', 'a', 'model'],
    ['model/step', 'a.step', 'other'],
    ['', 'a.txt', 'text'],
  ])('%s %s is %s', (mimeType, fileName, kind) => {
    expect(fileKind({ mimeType, fileName })).toBe(kind);
  });

  it('gives a picture without a type one by its name', () => {
    expect(pictureType({ mimeType: 'application/octet-stream', fileName: 'a.webp' })).toBe('image/webp');
    expect(pictureType({ mimeType: 'image/png', fileName: 'a.webp' })).toBe('image/png');
  });

  it('keeps the type that the browser names', () => {
    expect(typeToStore({ type: 'image/png', name: 'a.zip' })).toBe('image/png');
  });

  it('finds a type by the ending of the name', () => {
    expect(typeToStore({ type: '', name: 'a.b.CSV' })).toBe('text/csv');
  });

  it('falls back to bytes', () => {
    expect(typeToStore({ type: '', name: 'frame.stl' })).toBe('application/octet-stream');
  });
});
