/** The texts of WebSocket frames that are not masked. @throws when they are not such frames */
export function textsOf(frames: Buffer): string[] {
  const texts: string[] = [];
  for (let at = 0; at < frames.length;) {
    if (frames[at] !== 0x81) throw new Error(`no text frame at ${at}`);
    const short = frames[at + 1] as number;
    const start = at + (short < 126 ? 2 : short === 126 ? 4 : 10);
    const length = short < 126 ? short : short === 126 ? frames.readUInt16BE(at + 2) : Number(frames.readBigUInt64BE(at + 2));
    texts.push(frames.toString('utf8', start, start + length));
    at = start + length;
  }
  return texts;
}
