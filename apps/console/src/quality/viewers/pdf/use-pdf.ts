import { useEffect, useState } from 'react';
import type { Content } from '../read-content';
import { openPdf, type PdfOpening } from './pdf-document';

/** Opens a document, and closes it when it is no longer shown. */
export function usePdf(content: Content, password?: string): { opening: PdfOpening | undefined; error: unknown } {
  const [opening, setOpening] = useState<PdfOpening>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let isLeft = false;
    const opened = openPdf(content.bytes, password);
    opened.then(
      (result) => isLeft || setOpening(result),
      (failure: unknown) => isLeft || setError(failure),
    );
    return () => {
      isLeft = true;
      void opened.then(
        (result) => (result.state === 'open' ? result.document.loadingTask.destroy() : undefined),
        () => undefined,
      );
    };
  }, [content, password]);
  return { opening, error };
}
