import { describe, expect, it } from '@jest/globals';
import { imageKind } from './image-kind.ts';

describe('kind of an image', () => {
  it.each([
    ['\xff\xd8\xff\xe0\0\x10JFIF', 'jpeg'],
    ['\x89PNG\r\n\x1a\n\0\0\0\rIHDR', 'png'],
    ['GIF87a', 'gif'],
    ['GIF89a', 'gif'],
    ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
    ['II*\0\x08\0\0\0', 'tiff'],
    ['MM\0*\0\0\0\x08', 'tiff'],
    ['\0\0\0\x1cftypavif\0\0\0\0mif1miaf', 'avif'],
    ['\0\0\0\x1cftypmif1\0\0\0\0mif1avif', 'avif'],
    ['<svg xmlns="http://www.w3.org/2000/svg">', 'svg'],
    ['\xef\xbb\xbf \n<?xml version="1.0"?><!-- a drawing --><svg>', 'svg'],
  ])('is read from %j', (head, kind) => {
    expect(imageKind(Buffer.from(head, 'latin1'))).toBe(kind);
  });

  it.each([
    '',
    'x',
    'PK\x03\x04',
    '%PDF-1.7',
    '\x1f\x8b\x08 <svg>',
    'text about <svg>',
    '<html><body>',
    '<svg>\0',
    'RIFF\x10\0\0\0WAVE',
    '\0\0\0\x18ftypheic\0\0\0\0mif1heic',
    '\0\0\0\x10ftypmp42avif',
    '\0\0\0\x08ftyp',
  ])('is unsupported for %j', (head) => {
    expect(imageKind(Buffer.from(head, 'latin1'))).toBeUndefined();
  });
});
