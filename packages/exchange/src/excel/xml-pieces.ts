import { SaxesParser } from 'saxes';

/** Most elements around another one; a workbook has less than ten. */
const MAX_DEPTH = 50;
const MAX_ATTRIBUTES = 1000;

export type XmlAttributes = Readonly<Record<string, string>>;

/** What is called for the pieces of an XML file; names come without their prefix. */
export interface XmlHandlers {
  open?: (name: string, attributes: XmlAttributes) => void;
  text?: (text: string) => void;
  close?: (name: string) => void;
}

/** Parses XML piece by piece; `yield`s after each piece. @throws Error it is no XML, or too deep */
export async function* parsedPieces(bytes: AsyncIterable<Uint8Array>, { open, text, close }: XmlHandlers): AsyncGenerator<void> {
  const parser = new SaxesParser();
  const decoder = new TextDecoder('utf-8');
  const local = (name: string) => name.slice(name.indexOf(':') + 1);
  let failure: Error | undefined;
  let depth = 0;
  let attributeCount = 0;
  parser.on('error', (error) => (failure ??= error));
  parser.on('opentagstart', () => {
    attributeCount = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw new Error(`its XML has more than ${MAX_DEPTH} elements within each other`);
  });
  parser.on('attribute', () => {
    attributeCount += 1;
    if (attributeCount > MAX_ATTRIBUTES) throw new Error(`an element of its XML has more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', ({ name, attributes }) => open?.(local(name), attributes as XmlAttributes));
  parser.on('text', (content) => text?.(content));
  parser.on('cdata', (content) => text?.(content));
  parser.on('closetag', ({ name }) => {
    depth -= 1;
    close?.(local(name));
  });
  let isEmpty = true;
  for await (const chunk of bytes) {
    isEmpty = false;
    parser.write(decoder.decode(chunk, { stream: true }));
    if (failure) throw failure;
    yield;
  }
  if (isEmpty) return;
  parser.close();
  if (failure) throw failure;
}

/** Parses XML to its end. @throws Error it is no XML, or too deep */
export async function parseXml(bytes: AsyncIterable<Uint8Array>, handlers: XmlHandlers): Promise<void> {
  const pieces = parsedPieces(bytes, handlers);
  while ((await pieces.next()).done !== true);
}
