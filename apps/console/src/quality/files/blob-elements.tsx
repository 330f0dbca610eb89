import { useEffect, useRef, type CSSProperties, type ReactEventHandler } from 'react';

export interface BlobImageProps {
  blob: Blob;
  alt: string;
  className?: string | undefined;
  style?: CSSProperties;
  onLoad?: ReactEventHandler<HTMLImageElement>;
  onError?: ReactEventHandler<HTMLImageElement>;
}

/** A picture of bytes that were read with the credentials of the reader. */
export function BlobImage({ blob, ...props }: BlobImageProps) {
  const image = useRef<HTMLImageElement>(null);
  useEffect(() => {
    const url = URL.createObjectURL(blob);
    if (image.current) image.current.src = url;
    return () => URL.revokeObjectURL(url);
  }, [blob]);
  return <img ref={image} {...props} />;
}
