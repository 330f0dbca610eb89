import type { FileToStore } from '@sinebar/client';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';

/** Fixed time, so that the archive has the same bytes at every run. */
const ARCHIVE_TIME = new Date(2026, 9, 5, 12);
const LONG_NAME = 'Erstmusterprüfbericht nach VDA Band 2 mit sämtlichen Anlagen, Werkstoffzeugnissen und Freigaben – Stand 2026-10-05.pdf';
const TRIANGLES = ['0 0 0|40 0 0|0 20 0', '40 0 0|40 20 0|0 20 0', '0 0 0|40 0 0|0 0 10', '40 0 0|40 0 10|0 0 10'];

/** Makes a file of each kind that people store beside measurements. */
export async function factoryFiles(): Promise<FileToStore[]> {
  const photo = sharp({ create: { width: 1600, height: 1200, channels: 3, background: '#8a99a8' } });
  const text = (fileName: string, mimeType: string, content: string): FileToStore => ({ fileName, mimeType, content: strToU8(content) });
  const table = 'Merkmal;Nennmaß;Untere Grenze;Obere Grenze\nBohrungsdurchmesser;125,4;125,388;125,434\n';
  const vertices = TRIANGLES.map((triangle) => triangle.split('|'));
  const stl = vertices.map((points) => `facet normal 0 0 1\nouter loop\n${points.map((p) => `vertex ${p}`).join('\n')}\nendloop\nendfacet`);
  const ply = ['ply', 'format ascii 1.0', 'element vertex 3', 'property float x', 'property float y', 'property float z', 'element face 1'];
  return [
    {
      fileName: 'Zeichnung Blatt 1 von 3 – Übersicht.png',
      mimeType: 'image/png',
      content: new Uint8Array(await photo.clone().png().toBuffer()),
    },
    { fileName: 'Foto der Schadstelle.jpg', mimeType: 'image/jpeg', content: new Uint8Array(await photo.clone().jpeg().toBuffer()) },
    { fileName: 'Farbkarte.webp', mimeType: 'image/webp', content: new Uint8Array(await photo.clone().webp().toBuffer()) },
    { fileName: LONG_NAME, mimeType: 'application/pdf', content: strToU8(pdfOf('Erstmusterpruefbericht')) },
    text('Grenzen.csv', 'text/csv', table),
    text('Messprotokoll.txt', 'text/plain', 'Nest 3 nach Werkzeugwechsel auffällig.\n'.repeat(400)),
    text('Arbeitsanweisung.md', 'text/markdown', '# Messen am Messpunkt\n\n1. Anlagefläche reinigen\n'),
    text('Messprogramm.json', 'application/json', '{ "Programm": 4711, "Taster": "Ø 2 mm" }\n'),
    text('Ergebnisse.xml', 'application/xml', '<?xml version="1.0" encoding="UTF-8"?><Ergebnisse/>\n'),
    text('Werkstück.stl', 'model/stl', `solid Werkstueck\n${stl.join('\n')}\nendsolid Werkstueck\n`),
    text(
      'Scan.ply',
      'model/ply',
      [...ply, 'property list uchar int vertex_indices', 'end_header', '0 0 0', '40 0 0', '0 20 0', '3 0 1 2', ''].join('\n'),
    ),
    text(
      'Werkstück.step',
      'model/step',
      "ISO-10303-21;\nHEADER;\nFILE_NAME('Werkstueck','2026-10-05',(''),(''),'','','');\nENDSEC;\nEND-ISO-10303-21;\n",
    ),
    text(
      'Symbol.svg',
      'image/svg+xml',
      [
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" fill="none" stroke="black" stroke-width=".7">',
        '<path d="M.5.5h39v19h-39zM19.5.5v19"/><circle cx="10" cy="10" r="4"/><path d="M3 10h14M10 3v14"/>',
        '<path d="M25 14V6h3l-3 4 4 4M33 6v8"/></svg>',
        '',
      ].join('\n'),
    ),
    {
      fileName: 'Prüfplan.zip',
      mimeType: 'application/zip',
      content: archiveOf({ 'Prüfplan/Grenzen.csv': table, 'Prüfplan/Hinweise.txt': 'Nur Nest 1 bis 4.\n' }),
    },
    {
      fileName: 'Auswertung.xlsx',
      mimeType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      content: archiveOf({ '[Content_Types].xml': '<Types/>' }),
    },
    {
      fileName: 'Rohdaten des Tasters.bin',
      mimeType: 'application/octet-stream',
      content: Uint8Array.from({ length: 4096 }, (_, i) => (i * 7919) % 251),
    },
    text('leer.txt', 'text/plain', ''),
  ];
}

function archiveOf(files: Readonly<Record<string, string>>): Uint8Array<ArrayBuffer> {
  const content = Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]));
  return new Uint8Array(zipSync(content, { mtime: ARCHIVE_TIME }));
}

/** A page with one line; readers repair the missing table of offsets. */
function pdfOf(line: string): string {
  const stream = `BT /F1 24 Tf 72 720 Td (${line}) Tj ET`;
  return [
    '%PDF-1.4',
    '1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj',
    '2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj',
    '3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 595 842]/Contents 4 0 R/Resources<</Font<</F1 5 0 R>>>>>>endobj',
    `4 0 obj<</Length ${stream.length}>>stream\n${stream}\nendstream endobj`,
    '5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj',
    'trailer<</Root 1 0 R>>',
    '%%EOF',
  ].join('\n');
}
