import styles from './glyph.module.css';

/** Shapes of 12 by 12 units; a triangle points away from the tolerance. */
export const SHAPES = {
  disc: <circle cx="6" cy="6" r="3.75" />,
  halfDisc: (
    <>
      <circle className={styles.hollow} cx="6" cy="6" r="4.25" />
      <path d="M6 1.75a4.25 4.25 0 0 1 0 8.5z" />
    </>
  ),
  up: <path d="M6 .75 11.5 10.5H.5z" />,
  down: <path d="M6 11.25 11.5 1.5H.5z" />,
  right: <path d="M11.25 6 1.5 .5v11z" />,
  left: <path d="M.75 6 10.5 .5v11z" />,
  dash: <path d="M1.5 4.75h9v2.5h-9z" />,
  square: <path d="M2.25 2.25h7.5v7.5h-7.5z" />,
  cross: <path className={styles.cross} d="M2.5 2.5l7 7M9.5 2.5l-7 7" />,
  ring: <circle className={styles.hollow} cx="6" cy="6" r="4" />,
};
