/** How far an upload is. */
export type OnProgress = (sentBytes: number) => void;

/**
 * Makes a `fetch` for one upload that reports its progress, which the browser's own does not.
 * It sends by XMLHttpRequest and supports what the client asks of it: method, headers, body and signal.
 */
export function uploadFetch(onProgress: OnProgress): typeof fetch {
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      const { signal } = init;
      const abort = () => {
        request.abort();
        reject(signal?.reason as Error);
      };
      request.open(init.method ?? 'GET', input instanceof Request ? input.url : String(input));
      for (const [name, value] of new Headers(init.headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded }) => onProgress(loaded);
      request.onload = () => {
        signal?.removeEventListener('abort', abort);
        resolve(new Response(request.responseText, { status: request.status, headers: headersOf(request) }));
      };
      request.onerror = () => {
        signal?.removeEventListener('abort', abort);
        reject(new TypeError('The upload was not answered.'));
      };
      signal?.addEventListener('abort', abort, { once: true });
      request.send(init.body as XMLHttpRequestBodyInit | null);
    });
}

function headersOf(request: XMLHttpRequest): Headers {
  const lines = request.getAllResponseHeaders().trim().split(/\r?\n/);
  return new Headers(
    lines.flatMap((line) => {
      const colon = line.indexOf(':');
      return colon < 0 ? [] : [[line.slice(0, colon), line.slice(colon + 1).trim()] as [string, string]];
    }),
  );
}
