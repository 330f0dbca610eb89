/**
 * Returns a signal that aborts on Ctrl-C, SIGTERM or a closed terminal.
 * After the call these signals no longer end the process; the caller must.
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
