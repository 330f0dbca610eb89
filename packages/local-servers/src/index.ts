export * from './backing-services.ts';
export { prepareDataFolder } from './embedded-postgres/cluster.ts';
export { lockDataFolder } from './embedded-postgres/data-folder-lock.ts';
export { findBinaryPackage, prepareBinaries } from './embedded-postgres/binaries.ts';
export { connectionUrl, readCredentials } from './embedded-postgres/credentials.ts';
export * from './embedded-postgres/embedded-postgres.ts';
export { describeProcess, isAlive, killGroup } from './processes.ts';
export { asUser, chooseOsUser, findAccount, type OsUser } from './embedded-postgres/os-user.ts';
export * from './embedded-postgres/refusal.ts';
export { runningServerUrl } from './embedded-postgres/running-server.ts';
export { interruption } from './interruption.ts';
export { startNatsCluster, type NatsCluster } from './nats-cluster.ts';
export { onFreePort, startServer } from './folder-server.ts';
export { greetsWithJetStream } from './nats.ts';
export { chooseFreePort } from './ports.ts';
export {
  findInstalled,
  findProgram,
  HELM,
  NATS_SERVER,
  PROMETHEUS,
  ProgramMissingError,
  PROMTOOL,
  VERSITYGW,
  type ProgramSource,
} from './programs.ts';
export { defaultRunsFolder, openRunFolder, type RunFolder } from './run-folder.ts';
export type { RunningServer } from './supervisor.ts';
export { startVersitygw } from './versitygw.ts';
