/** Value of a field for date and time (`2026-05-04T06:30`, in the zone of the reader) as the interface takes it. */
export function instantOf(local: string): string | undefined {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z');
}

/** Value of the interface as a field for date and time takes it; the empty text for what is no time. */
export function localOf(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  const two = (value: number) => String(value).padStart(2, '0');
  const date = `${String(time.getFullYear()).padStart(4, '0')}-${two(time.getMonth() + 1)}-${two(time.getDate())}`;
  const clock = `${two(time.getHours())}:${two(time.getMinutes())}`;
  return time.getSeconds() === 0 ? `${date}T${clock}` : `${date}T${clock}:${two(time.getSeconds())}`;
}
