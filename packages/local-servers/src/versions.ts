/** Numbers of a version from the most significant on: `[2, 10, 4]`, or a release date `[2025, 9, 7]`. */
export type Version = readonly number[];

/** Version printed by a program; a development build has no number. */
export type ProgramVersion = Version | 'development' | undefined;

/**
 * Reads the output of `nats-server --version` (`nats-server: v2.15.2`) and `minio --version` (`minio version RELEASE.2025-09-07T16-13-09Z
 * …`).
 * @returns `undefined` when the text holds no version.
 */
export function parseVersion(output: string): ProgramVersion {
  const release = /\bRELEASE\.(\d{4})-(\d{2})-(\d{2})T/.exec(output);
  if (release) return release.slice(1).map(Number);
  if (/\bDEVELOPMENT\b/.test(output)) return 'development';
  const numbers = /(?:^|[\s:v])(\d+)\.(\d+)\.(\d+)/.exec(output);
  return numbers ? numbers.slice(1).map(Number) : undefined;
}

/** Accepts a development build, which somebody has built on purpose. */
export function isAtLeast(version: ProgramVersion, minimum: Version): boolean {
  if (version === undefined) return false;
  if (version === 'development') return true;
  for (const [index, least] of minimum.entries()) {
    const actual = version[index] ?? 0;
    if (actual !== least) return actual > least;
  }
  return true;
}

export function formatVersion(version: ProgramVersion): string {
  return typeof version === 'object' ? version.join('.') : (version ?? 'unknown version');
}
