import { describe, expect, it } from '@jest/globals';
import { chooseDrawing, readStamp, stampNumber } from './stamps.ts';

const WHOLE = { 2001: '7', 2808: '1', 2809: '12', 2810: '0.25', 2811: '0.5', 2812: '0.3', 2813: '0.6', 2814: '0.02' };

describe('the balloon of a characteristic', () => {
  it('is read from its attributes [D13.6]', () => {
    expect(readStamp(WHOLE)).toEqual({ x: 0.25, y: 0.5, target: { x: 0.3, y: 0.6 }, radius: 0.02 });
  });

  it('needs a position only', () => {
    expect(readStamp({ 2810: '0.25', 2811: '0' })).toEqual({ x: 0.25, y: 0 });
    expect(readStamp({ 2808: '1', 2810: '0.25' })).toBeUndefined();
    expect(readStamp({ 2808: '1', 2810: '0.25', 2811: 'left' })).toBeUndefined();
    expect(readStamp({ 2810: '0.25', 2811: ' ' })).toBeUndefined();
  });

  it('is switched off by 0', () => {
    expect(readStamp({ ...WHOLE, 2808: '0' })).toBeUndefined();
  });

  it('has no target where one coordinate is missing, and no radius of nothing', () => {
    expect(readStamp({ ...WHOLE, 2813: '', 2814: '0' })).toEqual({ x: 0.25, y: 0.5 });
  });

  it('shows its caption, else the number of the characteristic', () => {
    expect(stampNumber(WHOLE)).toBe('12');
    expect(stampNumber({ ...WHOLE, 2809: ' ' })).toBe('7');
    expect(stampNumber({})).toBe('');
  });
});

describe('the drawing of a part', () => {
  const file = (key: number, fileName: string, mimeType: string) => ({ key, fileName, mimeType });

  it('is the image or PDF whose name says so, else the first by name [D13.6]', () => {
    const photo = file(0, 'a-photo.jpg', 'image/jpeg');
    const drawing = file(1, 'Zeichnung 4471.pdf', 'application/pdf');
    const other = file(2, 'b.png', 'image/png');
    expect(chooseDrawing([other, drawing, photo])).toBe(drawing);
    expect(chooseDrawing([other, photo])).toBe(photo);
    // Reports draw images only.
    const image = file(4, 'Zeichnung 4471.png', 'image/png');
    expect(chooseDrawing([drawing, image, photo])).toBe(image);
  });

  it('is told by the ending of its name where its type is not known', () => {
    const unknown = file(0, 'drawing.TIF', 'application/octet-stream');
    expect(chooseDrawing([file(1, 'drawing.txt', 'text/plain'), unknown])).toBe(unknown);
    expect(chooseDrawing([file(1, 'drawing.pdf', 'text/plain')])).toBeUndefined();
  });

  it('is the one with the lower key of two with one name', () => {
    const [low, high] = [file(3, 'a.png', 'image/png'), file(10, 'a.png', 'image/png')];
    expect(chooseDrawing([high, low])).toBe(low);
  });
});
