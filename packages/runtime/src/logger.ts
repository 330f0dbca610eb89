import { pino, type Logger } from 'pino';

export type { Logger };

export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

/** JSON lines on standard output (or `destination`); credentials in headers are never written. */
export function createLogger(options: { service: string; plant?: string; level: LogLevel; destination?: NodeJS.WritableStream }): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service, ...(options.plant && { plant: options.plant }) },
    redact: { paths: ['req.headers.authorization', 'req.headers.cookie', 'password', '*.password', '*.secretKey'], censor: '[hidden]' },
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return options.destination ? pino(settings, options.destination) : pino(settings);
}
