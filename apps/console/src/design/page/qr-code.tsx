import { encode } from 'uqr';

/** A QR code with the quiet zone of its standard, four modules wide. */
export function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg viewBox={`0 0 ${size} ${size}`} shapeRendering="crispEdges" aria-hidden="true">
      <path fill="#ffffff" d={`M0 0h${size}v${size}H0z`} />
      <path fill="#000000" d={path.join('')} />
    </svg>
  );
}
