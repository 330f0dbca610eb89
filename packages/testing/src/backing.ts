/** A backing service that integration tests may need, or the program of a broker that a test starts for itself. */
export type BackingService = 'postgres' | 'nats' | 's3' | 'nats-server';

/** The environment variables that say where each backing service is. */
const BACKING_VARIABLES = {
  postgres: ['DATABASE_URL'],
  nats: ['NATS_URL'],
  s3: ['S3_ENDPOINT', 'S3_ACCESS_KEY', 'S3_SECRET_KEY'],
  'nats-server': ['NATS_SERVER_BIN'],
} as const satisfies Record<BackingService, readonly string[]>;

/** Address and credentials of an S3 store, in the form the `minio` client takes. */
export interface S3Settings {
  /** Address as in `S3_ENDPOINT`: `http://127.0.0.1:9000`. */
  endpoint: string;
  host: string;
  port: number;
  useTls: boolean;
  accessKey: string;
  secretKey: string;
}

/** Each member throws {@link MissingBackingError} when it is read while its variables are not set. */
export interface Backing {
  /** Address of a database whose user may create databases. */
  readonly databaseUrl: string;
  readonly natsUrl: string;
  readonly s3: S3Settings;
  readonly natsServer: string;
}

/** Thrown when a test uses a backing service that the environment does not name. */
export class MissingBackingError extends Error {
  override readonly name = 'MissingBackingError';
}

type Environment = Readonly<Record<string, string | undefined>>;

export function missingVariables(needs: readonly BackingService[], environment: Environment = process.env): string[] {
  return needs.flatMap((need) => BACKING_VARIABLES[need].filter((name) => !environment[name]));
}

/**
 * Typed settings of the backing services from `DATABASE_URL`, `NATS_URL`, `S3_ENDPOINT`, `S3_ACCESS_KEY` and `S3_SECRET_KEY`.
 * Nothing is read before a member is used, so that the call itself is safe in a suite that is skipped.
 */
export function backing(environment: Environment = process.env): Backing {
  return {
    get databaseUrl() {
      return required('DATABASE_URL', environment);
    },
    get natsUrl() {
      return required('NATS_URL', environment);
    },
    get natsServer() {
      return required('NATS_SERVER_BIN', environment);
    },
    get s3() {
      const endpoint = required('S3_ENDPOINT', environment);
      const url = new URL(endpoint);
      const useTls = url.protocol === 'https:';
      return {
        endpoint,
        host: url.hostname,
        port: url.port === '' ? (useTls ? 443 : 80) : Number(url.port),
        useTls,
        accessKey: required('S3_ACCESS_KEY', environment),
        secretKey: required('S3_SECRET_KEY', environment),
      };
    },
  };
}

/** Returns the variables that name all backing services to a product. @throws MissingBackingError */
export function backingVariables(environment: Environment = process.env): Record<string, string> {
  const { postgres, nats, s3 } = BACKING_VARIABLES;
  return Object.fromEntries([...postgres, ...nats, ...s3].map((name) => [name, required(name, environment)]));
}

function required(name: string, environment: Environment): string {
  const value = environment[name];
  if (!value) throw new MissingBackingError(`${name} is not set`);
  return value;
}
