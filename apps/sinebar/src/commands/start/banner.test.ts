import { describe, expect, it } from '@jest/globals';
import { localAddress, openWarning, readyText } from './banner.ts';

const STATE = {
  host: '127.0.0.1',
  port: 8080,
  secured: false,
  dataDir: '/srv/sinebar-data',
  database: 'PostgreSQL 18.4 on 127.0.0.1:15500, log: postgres.log',
};

describe('start message', () => {
  it('begins with the line that scripts wait for', () => {
    expect(readyText(STATE).split('\n')[0]).toBe('Sinebar is ready at http://127.0.0.1:8080');
    expect(readyText({ ...STATE, host: '0.0.0.0', port: 9 }).split('\n')[0]).toBe('Sinebar is ready at http://127.0.0.1:9');
  });

  it('contains the data folder and how to stop, and no password', () => {
    expect(readyText(STATE)).toMatch(/\/srv\/sinebar-data.*Ctrl-C/s);
    expect(readyText(STATE)).not.toContain('postgres://');
  });

  it('names the command that fills this server with the demo', () => {
    expect(readyText(STATE)).toContain('npm run sinebar -- demo (');
    expect(readyText({ ...STATE, port: 9 })).toContain('npm run sinebar -- demo --server http://127.0.0.1:9 (');
  });

  it('warns only when other computers can reach the server', () => {
    expect(readyText(STATE)).not.toContain('WARNING');
    expect(readyText({ ...STATE, host: '0.0.0.0' })).toContain('WARNING: Sinebar listens on 0.0.0.0 without authentication');
    expect(readyText({ ...STATE, host: '0.0.0.0', secured: true })).not.toContain('WARNING');
    expect(openWarning('localhost')).toBeUndefined();
    expect(openWarning('192.168.1.7')).toContain('192.168.1.7');
  });

  it('contains valid addresses', () => {
    expect(localAddress('::1', 80)).toBe('http://[::1]:80');
    expect(localAddress('192.168.1.7', 80)).toBe('http://192.168.1.7:80');
  });
});
