import { Client } from 'minio';

/** Opens the store of S3_ENDPOINT and its credentials with an ordinary client. */
export function objectStore(env: NodeJS.ProcessEnv): { client: Client; bucket: string } {
  const url = new URL(env['S3_ENDPOINT'] ?? '');
  const client = new Client({
    endPoint: url.hostname,
    port: Number(url.port),
    useSSL: url.protocol === 'https:',
    region: 'us-east-1',
    accessKey: env['S3_ACCESS_KEY'] ?? '',
    secretKey: env['S3_SECRET_KEY'] ?? '',
  });
  return { client, bucket: 'sinebar' };
}
