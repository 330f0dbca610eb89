import { Fragment } from 'react';

/** Letters of a word that nobody writes; a longer one is a code or a mistake, and would make its table wider than the window. */
const MAX_WORD = 40;
const PIECE = 12;

/** A name whose words may be broken where they are far longer than any word. */
export function LongName({ text }: { text: string }) {
  if (!text.split(/\s/).some((word) => word.length > MAX_WORD)) return text;
  const letters = Array.from(text);
  return Array.from({ length: Math.ceil(letters.length / PIECE) }, (_, i) => (
    <Fragment key={i}>
      {i > 0 && <wbr />}
      {letters.slice(i * PIECE, (i + 1) * PIECE).join('')}
    </Fragment>
  ));
}
