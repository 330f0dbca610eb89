import { defineTexts, useTexts } from '../../design/language/language';
import styles from './empty-server.module.css';

const texts = defineTexts({
  en: { label: 'Drawing of a sine bar on gauge blocks' },
  de: { label: 'Zeichnung eines Sinuslineals auf Endmaßen' },
});

/** The instrument that the product is called after: sin α = h / L. */
export function SineBar() {
  const { label } = useTexts(texts);
  return (
    <svg className={styles.drawing} width="520" height="300" viewBox="0 0 520 300" role="img" aria-label={label}>
      <path className={styles.hatching} d={Array.from({ length: 63 }, (_, i) => `M${20 + i * 8} 264l8-8`).join('')} />
      <path className={styles.heavy} d="M20 256H520" />
      <path className={styles.drawn} d="M396.2 256V176.2h68V256M396.2 222.5h68M396.2 196.9h68M396.2 184.1h68" />
      <path className={styles.body} d="M62.5 234.5 471.9 132.4 463.7 99.4 54.2 201.5z" />
      <circle className={styles.body} cx="110" cy="235" r="21" />
      <circle className={styles.body} cx="430.2" cy="155.2" r="21" />
      <circle className={styles.drawn} cx="180.6" cy="187.5" r="7" />
      <circle className={styles.drawn} cx="263.1" cy="166.9" r="7" />
      <circle className={styles.drawn} cx="345.6" cy="146.4" r="7" />
      <path className={styles.chain} d="M80 235h60M110 205v60M400.2 155.2h60M430.2 125.2v60M110 235 430.2 155.2" />
      <path className={styles.thin} d="M110 235h340.2M457.2 176.2h43M470.2 256h30M492.2 176.2V256" />
      <path className={styles.thin} d="M97.9 186.5 89.7 153.5M418.1 106.7 409.9 73.7M91.1 159.3 411.3 79.5" />
      <path className={styles.angle} d="M260 235A150 150 0 0 0 255.5 198.7" />
      <path className={styles.arrow} d="M492.2 176.2l-3 9h6zM492.2 256l-3-9h6z" />
      <g className={styles.letters}>
        <text x="268" y="222">
          α
        </text>
        <text x="500.2" y="220">
          h
        </text>
        <text x="247" y="111" textAnchor="end">
          L
        </text>
        <text x="20" y="288">
          sin α = h / L
        </text>
      </g>
    </svg>
  );
}
