/** Addresses of files that some documents need, by the kinds of pdf.js: encodings of letters, fonts, and decoders of pictures. */
const ADDRESSES: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  cMapUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/cmaps/*.bcmap', { query: '?url', import: 'default', eager: true }),
  standardFontDataUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
  wasmUrl: import.meta.glob<string>('/node_modules/pdfjs-dist/wasm/{jbig2,openjpeg,qcms_bg}.wasm', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
};

/** Address of the worker that reads documents. */
export const [WORKER = ''] = Object.values(
  import.meta.glob<string>('/node_modules/pdfjs-dist/build/pdf.worker.min.mjs', { query: '?url', import: 'default', eager: true }),
);

/** Reads files for pdf.js under the addresses of the build: it knows them by their names only. */
export class PdfFiles {
  /** @throws Error where the build has no such file */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const [, address] = Object.entries(ADDRESSES[kind] ?? {}).find(([path]) => path.endsWith(`/${filename}`)) ?? [];
    if (address === undefined) throw new Error(`There is no file ${filename}.`);
    const answer = await fetch(address);
    if (!answer.ok) throw new Error(`The file ${filename} was answered with status ${answer.status}.`);
    return new Uint8Array(await answer.arrayBuffer());
  }
}
