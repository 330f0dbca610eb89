import { defineTexts, useFormats, useTexts } from '../language/language';

const texts = defineTexts({
  en: { leftOut: (count: string) => `${count} more rows are not on this paper; “Export” saves all as a file.` },
  de: { leftOut: (count: string) => `${count} weitere Zeilen stehen nicht auf diesem Papier; „Exportieren“ speichert alle als Datei.` },
});

/** Says on paper how many rows of a table are missing there. */
export function RowsLeftOut({ count }: { count: number }) {
  const t = useTexts(texts);
  const formats = useFormats();
  return count > 0 && <p>{t.leftOut(formats.count(count))}</p>;
}
