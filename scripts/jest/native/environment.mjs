import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';

export const mocker = new ModuleMocker(globalThis);
export const timers = new ModernFakeTimers({ config: { fakeTimers: {} }, global: globalThis });

/** The environment of tests that Node loads itself: they have the globals of the process. Nothing is compiled in one of its own. */
export default class NativeEnvironment {
  global = {};
  moduleMocker = mocker;
  fakeTimers = null;
  fakeTimersModern = timers;
  getVmContext = () => null;
  exportConditions = () => [];
  setup = () => Promise.resolve();
  teardown = () => Promise.resolve();
}
