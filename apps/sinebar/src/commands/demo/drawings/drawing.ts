import sharp from 'sharp';
import { KEY } from '../attributes.ts';
import type { DemoPart } from '../demo-part.ts';
import { outlineOf } from './outlines.ts';

const WIDTH = 1200;
const HEIGHT = 900;
const FRAME = 40;

/** Draws a part as a PNG: outline, and a numbered point for each characteristic. */
export async function drawingOf(part: DemoPart): Promise<Uint8Array<ArrayBuffer>> {
  const points = part.characteristics.map(({ position: [x, y] }, i) => {
    const [left, top] = [(x / 100) * WIDTH, (y / 100) * HEIGHT];
    return (
      `<circle cx="${left}" cy="${top}" r="5" fill="#c22"/><line x1="${left}" y1="${top}" x2="${left + 22}" y2="${top - 22}" stroke="#c22"/>` +
      `<circle cx="${left + 32}" cy="${top - 32}" r="14" fill="#fff" stroke="#c22"/>` +
      `<text x="${left + 32}" y="${top - 27}" font-size="14" text-anchor="middle">${i + 1}</text>`
    );
  });
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" font-family="sans-serif">
    <rect width="100%" height="100%" fill="#fff"/>
    <rect x="${FRAME / 2}" y="${FRAME / 2}" width="${WIDTH - FRAME}" height="${HEIGHT - FRAME}" fill="none" stroke="#345" stroke-width="2"/>
    <g transform="scale(${WIDTH / 100} ${HEIGHT / 100})" fill="#e8eef4" stroke="#345" stroke-width="0.3">${outlineOf(part.product)}</g>
    ${points.join('')}
    <text x="${FRAME}" y="${HEIGHT - FRAME + 8}" font-size="20">${part.name}, drawing ${part.attributes[KEY.drawing]}</text>
  </svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer());
}

/** Renders the door as a JPEG, as a camera of the inspection cell would see it. */
export async function pictureOfDoor(): Promise<Uint8Array<ArrayBuffer>> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}">
    <defs>
      <linearGradient id="wall" x2="0" y2="1"><stop offset="0" stop-color="#6d747a"/><stop offset="1" stop-color="#3c4146"/></linearGradient>
      <linearGradient id="paint" x2="0" y2="1">
        <stop offset="0" stop-color="#8fa6bd"/><stop offset="0.5" stop-color="#3f5d7c"/><stop offset="0.56" stop-color="#7d97b1"/>
        <stop offset="1" stop-color="#22364b"/>
      </linearGradient>
      <linearGradient id="glass" x2="1" y2="1"><stop offset="0" stop-color="#dfe9ee"/><stop offset="1" stop-color="#7c8c95"/></linearGradient>
      <filter id="shadow"><feGaussianBlur stdDeviation="1.1"/></filter>
    </defs>
    <rect width="100%" height="100%" fill="url(#wall)"/>
    <g transform="scale(${WIDTH / 100} ${HEIGHT / 100})">
      <g transform="translate(1.2 1.6)" fill="#15181b" filter="url(#shadow)" opacity="0.7">${outlineOf('')}</g>
      <g fill="url(#paint)" stroke="#16222e" stroke-width="0.25">${outlineOf('')}</g>
      <path d="M 20 44 L 39 17 Q 41 14.5 44 14.5 L 84 14.5 L 83.5 44 Z" fill="url(#glass)"/>
      <path d="M 12 58 Q 50 53 91 57" fill="none" stroke="#b9c9d8" stroke-width="0.5"/>
      <rect x="70" y="60" width="14" height="3" rx="1.5" fill="#c9d2d9" stroke="#16222e" stroke-width="0.2"/>
    </g>
  </svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).jpeg({ quality: 82 }).toBuffer());
}
