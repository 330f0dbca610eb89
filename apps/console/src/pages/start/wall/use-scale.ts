import { useEffect, useState } from 'react';

/** Size for which the page is drawn, px: a screen of 1,920 × 1,080 shows it almost twice as large, to be read from some metres away. */
const DRAWN_WIDTH = 960;
const DRAWN_HEIGHT = 570;

/** Returns how many times as large as in a window the page is drawn. */
export function useScale(): number {
  const [scale, setScale] = useState(scaleOf);
  useEffect(() => {
    const measure = () => setScale(scaleOf());
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  return scale;
}

function scaleOf(): number {
  return Math.max(1, Math.min(innerWidth / DRAWN_WIDTH, innerHeight / DRAWN_HEIGHT));
}
