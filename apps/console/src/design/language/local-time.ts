/** Value of a field for date and time (`2026-05-04T06:30`, in the zone of the reader) as the interface takes it. */
export function instantOf(local: string): string | undefined {
  const time = new Date(local);
  return Number.isNaN(time.getTime()) ? undefined : time.toISOString().replace('.000Z', 'Z');
}

/** Value of the interface as a field for date and time takes it; the empty text for what is no time. */
export function localOf(instant: string): string {
  const time = new Date(instant);
  if (Number.isNaN(time.getTime())) return '';
  const digits = (value: number, length = 2) => String(value).padStart(length, '0');
  const date = `${digits(time.getFullYear(), 4)}-${digits(time.getMonth() + 1)}-${digits(time.getDate())}`;
  const clock = `${digits(time.getHours())}:${digits(time.getMinutes())}`;
  const [seconds, milliseconds] = [time.getSeconds(), time.getMilliseconds()];
  if (seconds === 0 && milliseconds === 0) return `${date}T${clock}`;
  return `${date}T${clock}:${digits(seconds)}${milliseconds === 0 ? '' : `.${digits(milliseconds, 3)}`}`;
}
