/** Time until the browser has surely begun to save, ms. */
const RELEASE_AFTER_MS = 60_000;

/** Offers a file to the reader for saving. */
export function saveFile(name: string, content: Blob | string, type = 'text/csv;charset=utf-8'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), RELEASE_AFTER_MS);
}

/** Saves an answer of the server under the name that it has there. @param name where the server gives none */
export async function saveAnswer(answer: Response, name: string): Promise<void> {
  saveFile(servedFileName(answer.headers.get('Content-Disposition')) ?? name, await answer.blob());
}

/** Reads the name of a file from `Content-Disposition`, which has a second form for names outside ASCII. */
function servedFileName(disposition: string | null): string | undefined {
  const encoded = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  return encoded === undefined ? /filename="([^"]+)"/i.exec(disposition ?? '')?.[1] : decodeURIComponent(encoded);
}

/** Makes a name of a file from what it shows: letters, figures and hyphens only. */
export function fileNameOf(parts: readonly string[], ending: string): string {
  const name = parts
    .join(' ')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '');
  return `${name === '' ? 'sinebar' : name}.${ending}`;
}
