import { expect, it } from '@jest/globals';
import { render } from '@testing-library/react';
import jsQR from 'jsqr';
import { QrCode } from './qr-code';

const PIXELS = 4;

/** Draws the modules of a code as a picture with four bytes for each pixel. */
function pictureOf(svg: Element): { bytes: Uint8ClampedArray; width: number } {
  const size = Number(svg.getAttribute('viewBox')?.split(' ')[2]);
  const width = size * PIXELS;
  const bytes = new Uint8ClampedArray(width * width * 4).fill(255);
  for (const [, x, y] of svg.lastElementChild?.getAttribute('d')?.matchAll(/M(\d+) (\d+)h1/g) ?? []) {
    for (let i = 0; i < PIXELS * PIXELS; i++) {
      const [column, row] = [Number(x) * PIXELS + (i % PIXELS), Number(y) * PIXELS + Math.floor(i / PIXELS)];
      bytes.fill(0, (row * width + column) * 4, (row * width + column) * 4 + 3);
    }
  }
  return { bytes, width };
}

it.each([
  'http://127.0.0.1:8080/console/',
  `https://quality.example.com/north/console/parts/0f3e8f6e-8c55-4f8e-9d1e-2a7b3c4d5e6f/characteristics/0f3e8f6e-8c55-4f8e-9d1e-2a7b3c4d5e6f?condition=${encodeURIComponent("12 in ('A', 'Ä')")}&from=2026-01-01`,
])('a reader of codes finds the address %s', (address) => {
  const { container } = render(<QrCode text={address} />);
  const { bytes, width } = pictureOf(container.querySelector('svg')!);
  expect(jsQR(bytes, width, width)?.data).toBe(address);
});
