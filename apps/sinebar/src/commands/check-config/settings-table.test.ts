import { describe, expect, it } from '@jest/globals';
import { eventsProcessSettings } from '@sinebar/events';
import { inspectionProcessSettings } from '@sinebar/inspection';
import { standaloneSettings } from '../../settings.ts';
import { settingsReport } from './settings-table.ts';

const everything = { ...standaloneSettings, ...inspectionProcessSettings, ...eventsProcessSettings };

describe('settingsReport', () => {
  it('lists name, value, source and meaning', () => {
    const { text, sound } = settingsReport('standalone', standaloneSettings, everything, { SINEBAR_PORT: '9000' });
    expect(sound).toBe(true);
    expect(text).toMatch(/^SINEBAR_PORT +9000 +environment +port to listen on/m);
    expect(text).toMatch(/^SINEBAR_DATA_DIR +sinebar-data +default +folder for the database/m);
    expect(text).toMatch(/^SINEBAR_LOG_LEVEL +warn +default/m);
  });

  it('never prints a password', () => {
    const env = { DATABASE_URL: 'postgres://anna:open-sesame@db/sinebar' };
    const { text } = settingsReport('inspection', inspectionProcessSettings, everything, env);
    expect(text).toContain('DATABASE_URL');
    expect(text).not.toContain('open-sesame');
  });

  it('distinguishes a typing error from a setting of another service', () => {
    const env = { SINEBAR_PROT: '9000', SINEBAR_DATA_DIR: '/srv' };
    const { text } = settingsReport('events', eventsProcessSettings, everything, env);
    expect(text).toMatch(/Not known to any part, a typing error\? SINEBAR_PROT$/m);
    expect(text).toMatch(/used by other parts only: SINEBAR_DATA_DIR$/m);
  });

  it('names what must be changed', () => {
    const { text, sound } = settingsReport('standalone', standaloneSettings, everything, {
      SINEBAR_PORT: 'eighty',
      SINEBAR_LOG_LEVEL: 'loud',
    });
    expect(sound).toBe(false);
    expect(text).toMatch(/To be changed: SINEBAR_PORT, SINEBAR_LOG_LEVEL$/);
  });

  it('names a logo that cannot be shown', () => {
    const env = { SINEBAR_LOGO: '/nowhere/logo.png' };
    const { text, sound } = settingsReport('standalone', standaloneSettings, everything, env);
    expect(sound).toBe(false);
    expect(text).toMatch(/SINEBAR_LOGO +PROBLEM: \/nowhere\/logo.png cannot be read \(ENOENT\)/);
    expect(text).toMatch(/To be changed: SINEBAR_LOGO$/);
  });

  it('names settings that do not fit together, and warns of unusual ones', () => {
    const withoutPolicy = settingsReport('standalone', standaloneSettings, everything, { SINEBAR_AUTHENTICATION: 'basic' });
    expect(withoutPolicy.sound).toBe(false);
    expect(withoutPolicy.text).toMatch(/PROBLEM with SINEBAR_ACCESS_POLICY: is required with SINEBAR_AUTHENTICATION=basic/);
    expect(withoutPolicy.text).toMatch(/To be changed: SINEBAR_ACCESS_POLICY$/);
    const unused = settingsReport('standalone', standaloneSettings, everything, { SINEBAR_ACCESS_POLICY: '/srv/policy.yaml' });
    expect(unused.sound).toBe(true);
    expect(unused.text).toMatch(/Note: SINEBAR_ACCESS_POLICY is set but not used/);
  });
});
