/**
 * A signal that is aborted when this process is asked to end (Ctrl-C, SIGTERM, closed terminal). From the call on these signals no longer
 * end the process by themselves; the caller must.
 */
export function interruption(): { signal: AbortSignal; name: () => NodeJS.Signals | undefined } {
  const controller = new AbortController();
  let received: NodeJS.Signals | undefined;
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => {
      received ??= name;
      controller.abort(new Error(`interrupted by ${name}`));
    });
  }
  return { signal: controller.signal, name: () => received };
}
