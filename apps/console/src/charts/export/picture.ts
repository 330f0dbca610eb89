/** Properties of style that drawings use; a picture has no style sheet, so each element carries them itself. */
const PROPERTIES = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-linejoin',
  'paint-order',
  'font-family',
  'font-size',
  'font-weight',
  'font-variant-numeric',
  'shape-rendering',
  'text-anchor',
  'color',
] as const;

/** Points of the picture for each pixel of the screen. */
const SCALE = 2;
const MARGIN = 16;
const LINE = 18;

export interface PictureInput {
  /** Element whose drawings and headings are taken. */
  element: HTMLElement;
  /** Lines above: what is shown, of when, and where. */
  lines: readonly string[];
}

/** Draws the charts and headings of an element into a PNG, in the colours and at the places of the screen. */
export async function pictureOf({ element, lines }: PictureInput): Promise<Blob> {
  const box = element.getBoundingClientRect();
  const style = getComputedStyle(element);
  const head = lines.length * LINE + MARGIN;
  const canvas = document.createElement('canvas');
  canvas.width = Math.ceil((box.width + 2 * MARGIN) * SCALE);
  canvas.height = Math.ceil((box.height + head + 2 * MARGIN) * SCALE);
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('The browser draws no pictures.');
  context.scale(SCALE, SCALE);
  context.fillStyle = getComputedStyle(document.documentElement).backgroundColor;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = style.color;
  lines.forEach((line, i) => {
    context.font = `${i === 0 ? 600 : 400} 13px ${style.fontFamily}`;
    context.fillText(line, MARGIN, MARGIN + 12 + i * LINE);
  });
  context.translate(MARGIN - box.left, MARGIN + head - box.top);
  for (const text of element.querySelectorAll<HTMLElement>('h2, h2 + p, th, td')) writeText(context, text);
  for (const drawing of element.querySelectorAll<SVGSVGElement>('svg')) {
    const { left, top, width, height } = drawing.getBoundingClientRect();
    if (width === 0) continue;
    context.drawImage(await imageOf(drawing), left, top, width, height);
  }
  return new Promise((resolve, reject) => {
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The picture could not be made.'))), 'image/png');
  });
}

function writeText(context: CanvasRenderingContext2D, element: HTMLElement): void {
  const { left, right, top, height } = element.getBoundingClientRect();
  if (height === 0) return;
  const { color, fontWeight, fontSize, fontFamily, textAlign, paddingLeft, paddingRight } = getComputedStyle(element);
  context.fillStyle = color;
  context.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  context.textAlign = textAlign === 'right' ? 'right' : 'left';
  const x = textAlign === 'right' ? right - Number.parseFloat(paddingRight) : left + Number.parseFloat(paddingLeft);
  context.fillText(element.innerText, x, top + height / 2 + Number.parseFloat(fontSize) * 0.35);
  context.textAlign = 'left';
}

async function imageOf(drawing: SVGSVGElement): Promise<HTMLImageElement> {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const originals = [drawing, ...drawing.querySelectorAll('*')];
  const copies = [copy, ...copy.querySelectorAll('*')];
  originals.forEach((original, i) => {
    const style = getComputedStyle(original);
    for (const property of PROPERTIES) copies[i]!.setAttribute(property, style.getPropertyValue(property));
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  const url = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  const image = new Image();
  image.src = url;
  await image.decode();
  return image;
}
