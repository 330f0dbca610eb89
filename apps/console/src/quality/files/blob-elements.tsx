import { useEffect, useRef } from 'react';

interface BlobProps {
  blob: Blob;
  className?: string | undefined;
}

/** A picture of bytes that were read with the credentials of the reader. */
export function BlobImage({ blob, alt, className }: BlobProps & { alt: string }) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => showIn(image.current, blob), [blob]);
  return <img ref={image} alt={alt} className={className} />;
}

/** A document in the browser's own viewer. */
export function BlobFrame({ blob, title, className }: BlobProps & { title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  useEffect(() => showIn(frame.current, blob), [blob]);
  return <iframe ref={frame} title={title} className={className} />;
}

/** Shows bytes in an element. @returns a function that gives their address back */
function showIn(element: HTMLImageElement | HTMLIFrameElement | null, blob: Blob): () => void {
  const url = URL.createObjectURL(blob);
  if (element) element.src = url;
  return () => URL.revokeObjectURL(url);
}
