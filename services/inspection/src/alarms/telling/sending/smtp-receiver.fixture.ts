import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  to: string[];
  /** The message as it travels. */
  raw: string;
}

/** A mail server for tests. */
export interface SmtpReceiver {
  url: string;
  mails: ReceivedMail[];
  close(): Promise<void>;
}

/** @param refuse addresses that the server does not take @param hang whether it never answers a message */
export async function startSmtpReceiver({ refuse = [] as string[], hang = false } = {}): Promise<SmtpReceiver> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onRcptTo: ({ address }, _session, callback) => {
      if (!refuse.includes(address)) return callback();
      callback(Object.assign(new Error('No such user here'), { responseCode: 550 }));
    },
    onData: (stream, session, callback) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        mails.push({ to: session.envelope.rcptTo.map(({ address }) => address), raw: Buffer.concat(chunks).toString('utf8') });
        if (!hang) callback(null, 'Taken');
      });
    },
  });
  server.on('error', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Reads the header of a message, unfolded. */
export function headerOf({ raw }: ReceivedMail, name: string): string | undefined {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]+/g, ' ');
  return new RegExp(`^${name}: (.*)$`, 'im').exec(head)?.[1];
}

/** Decodes the first part of a message with a type. */
export function partOf({ raw }: ReceivedMail, type: string): string {
  const [, head = '', body = ''] = new RegExp(`\r\n(Content-Type: ${type}[^]*?)\r\n\r\n([^]*?)\r\n--`).exec(raw) ?? [];
  if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('latin1');
  if (!/quoted-printable/i.test(head)) return body;
  const bytes = body
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_code, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}
