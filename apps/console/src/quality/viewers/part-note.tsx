import { useFormats, useTexts } from '../../design/language/language';
import textStyles from '../../design/styles/text.module.css';
import type { Content } from './read-content';
import { texts } from './viewer-texts';

/** Says how much of a content is shown, where it is not the whole. */
export function PartNote({ content: { bytes, sizeBytes, isWhole } }: { content: Content }) {
  const t = useTexts(texts);
  const formats = useFormats();
  if (isWhole) return null;
  const shown = formats.size(bytes.length);
  return <p className={textStyles.note}>{sizeBytes === undefined ? t.partUnknown(shown) : t.part(shown, formats.size(sizeBytes))}</p>;
}
