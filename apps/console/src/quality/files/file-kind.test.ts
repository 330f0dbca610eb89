import { describe, expect, it } from '@jest/globals';
import { fileKind, typeToStore } from './file-kind';

describe('kind of a file', () => {
  it.each([
    ['image/png', 'a', 'picture'],
    ['image/svg+xml', 'a.svg', 'picture'],
    ['image/x-icon', 'a.ico', 'other'],
    ['application/pdf', 'a', 'pdf'],
    ['text/csv; charset=utf-8', 'a', 'text'],
    ['application/json', 'a', 'text'],
    ['application/zip', 'a', 'archive'],
    ['application/x-zip-compressed', 'a', 'archive'],
    ['application/octet-stream', 'a.PDF', 'pdf'],
    ['application/octet-stream', 'a.zip', 'archive'],
    ['application/octet-stream', 'a.csv', 'text'],
    ['application/octet-stream', 'a.jpeg', 'picture'],
    ['application/octet-stream', 'a.stl', 'other'],
    ['model/stl', 'a.txt', 'other'],
    ['', 'a.txt', 'text'],
  ])('%s %s is %s', (mimeType, fileName, kind) => {
    expect(fileKind({ mimeType, fileName })).toBe(kind);
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
