import sharp from 'sharp';
import { KEY } from './attributes.js';
import type { DemoPart } from './door.js';

const WIDTH = 1200;
const HEIGHT = 900;
const FRAME = 40;

/** The outline of a door, in hundredths of the drawing. */
const OUTLINE = 'M 12 88 L 10 48 L 34 12 Q 37 8 42 8 L 88 8 Q 92 8 92 13 L 90 88 Q 90 92 86 92 L 16 92 Q 12 92 12 88 Z';
const WINDOW = 'M 18 46 L 38 16 Q 40 13 44 13 L 85 13 Q 87 13 87 16 L 86 46 Z';

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
    <g transform="scale(${WIDTH / 100} ${HEIGHT / 100})" fill="#e8eef4" stroke="#345" stroke-width="0.3">
      <path d="${OUTLINE}"/><path d="${WINDOW}" fill="#fff"/><rect x="70" y="54" width="14" height="4" rx="2" fill="#fff"/>
    </g>
    ${points.join('')}
    <text x="${FRAME}" y="${HEIGHT - FRAME + 8}" font-size="20">${part.name}, drawing ${part.attributes[KEY.drawing]}</text>
  </svg>`;
  return new Uint8Array(await sharp(Buffer.from(svg)).png({ palette: true }).toBuffer());
}
