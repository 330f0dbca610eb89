import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from '@jest/globals';
import { findProgram, ProgramMissingError, PROMTOOL } from '@sinebar/local-servers';
import { describeUnless } from '@sinebar/testing';
import { alertRules } from '@sinebar/testing/observability';

const FILES = ['alerts.yml', 'alerts-kubernetes.yml'];
const RULES = FILES.map((file) => join(import.meta.dirname, '../../../infra/observability', file));
const ALERTS = FILES.flatMap((file) => alertRules(file));
const PROGRAM = await findProgram(PROMTOOL, { environment: process.env, onProgress: (line) => process.stderr.write(`${line}\n`) }).catch(
  (error: unknown) => {
    if (!(error instanceof ProgramMissingError)) throw error;
    process.stderr.write(`${error.message}\n`);
    return undefined;
  },
);

interface Case {
  /** Values of each series, one in a minute, as promtool writes them: `0+60x60` grows by 60. */
  series: Readonly<Record<string, string>>;
  /** The same series when nothing is wrong. */
  quiet: Readonly<Record<string, string>>;
  /** Labels of the alert, besides its severity. */
  labels: Readonly<Record<string, string>>;
  summary: string;
}

const JOB = 'instance="a:9464", job="sinebar-inspection"';
const instance = { instance: 'a:9464', job: 'sinebar-inspection' };
/** One series whose values fire an alert, and other values that do not. */
const one = (series: string, fires: string, quiet: string, labels: Readonly<Record<string, string>>, summary: string): Case => ({
  series: { [series]: fires },
  quiet: { [series]: quiet },
  labels,
  summary,
});
/** Two series whose quotient counts. */
const share = (
  used: string,
  limit: string,
  fires: string,
  quiet: string,
  labels: Readonly<Record<string, string>>,
  summary: string,
): Case => ({
  series: { [used]: fires, [limit]: '100x60' },
  quiet: { [used]: quiet, [limit]: '100x60' },
  labels,
  summary,
});
const disk = (fires: string, quiet: string, summary: string) =>
  share(
    `sinebar_disk_free_bytes{${JOB}, disk="postgres"}`,
    `sinebar_disk_size_bytes{${JOB}, disk="postgres"}`,
    fires,
    quiet,
    { ...instance, disk: 'postgres' },
    summary,
  );

/** The first minute is the Unix epoch: a backup of the time 0 is as old as the test. */
const CASES: Readonly<Record<string, Case>> = {
  SinebarDown: one(`up{${JOB}}`, '0x60', '1x60', instance, 'a:9464 does not answer'),
  SinebarAbsent: one(
    `up{${JOB}}`,
    '1x10 stale',
    '1x60',
    { job: 'sinebar-inspection' },
    'no process of sinebar-inspection can be found any more',
  ),
  SinebarServerErrors: {
    series: {
      [`sinebar_http_requests_total{${JOB}, status="503"}`]: '0+6x60',
      [`sinebar_http_requests_total{${JOB}, status="200"}`]: '0+54x60',
    },
    quiet: {
      [`sinebar_http_requests_total{${JOB}, status="503"}`]: '0+1x60',
      [`sinebar_http_requests_total{${JOB}, status="200"}`]: '0+99x60',
    },
    labels: { job: 'sinebar-inspection' },
    summary: '10% of the answers of sinebar-inspection are errors of the server',
  },
  SinebarSlowAnswers: {
    series: {
      'sinebar_http_request_duration_seconds_bucket{route="/x", method="GET", le="10"}': '0x60',
      'sinebar_http_request_duration_seconds_bucket{route="/x", method="GET", le="30"}': '0+10x60',
      'sinebar_http_request_duration_seconds_bucket{route="/x", method="GET", le="+Inf"}': '0+10x60',
    },
    quiet: {
      'sinebar_http_request_duration_seconds_bucket{route="/x", method="GET", le="10"}': '0+10x60',
      'sinebar_http_request_duration_seconds_bucket{route="/x", method="GET", le="+Inf"}': '0+10x60',
    },
    labels: { route: '/x', method: 'GET' },
    summary: 'GET /x takes 29s',
  },
  SinebarDatabaseWaiting: one(
    `sinebar_database_waiting{${JOB}, service="inspection", pool="requests"}`,
    '3x60',
    '3 0 3 0 3 0x55',
    { ...instance, service: 'inspection', pool: 'requests' },
    'requests of inspection wait for database connections (requests)',
  ),
  SinebarOutboxOld: one(
    `sinebar_outbox_oldest_age_seconds{${JOB}, service="inspection"}`,
    '90x60',
    '59x60',
    { service: 'inspection' },
    'changes of inspection have not been announced for 1m 30s',
  ),
  SinebarOutboxUnattended: one(
    `sinebar_relay_active{${JOB}, service="inspection"}`,
    '0x60',
    '1x60',
    { service: 'inspection' },
    'no process publishes the outbox of inspection',
  ),
  SinebarRelayFailing: one(
    `sinebar_relay_failures_total{${JOB}, service="inspection"}`,
    '0+1x60',
    '0 1 2 2x57',
    { ...instance, service: 'inspection' },
    'publishing the changes of inspection fails again and again',
  ),
  SinebarBrokerLost: one(
    `sinebar_bus_connected{${JOB}, service="inspection"}`,
    '0x60',
    '1x60',
    { ...instance, service: 'inspection' },
    'a:9464 has no connection to the message broker',
  ),
  SinebarGatewayBehind: one(
    `sinebar_gateway_lag_messages{${JOB}}`,
    '2000x60',
    '2000 0 2000 0 2000 0x55',
    instance,
    'a:9464 is 2000 messages behind the event stream',
  ),
  SinebarSlowClients: one(
    `sinebar_gateway_slow_clients_total{${JOB}}`,
    '0+2x60',
    '0+1x60',
    instance,
    'clients of a:9464 read events slower than they come',
  ),
  SinebarMirrorBehind: one(
    `sinebar_mirror_lag_seconds{${JOB}}`,
    '45x60',
    '29x60',
    { job: 'sinebar-inspection' },
    'files do not follow their parts for 45s',
  ),
  SinebarBackgroundFailing: one(
    `sinebar_background_failures_total{${JOB}, service="inspection", task="counts"}`,
    '0+1x60',
    '0 1 2 2x57',
    { ...instance, service: 'inspection', task: 'counts' },
    'counts of inspection fails again and again',
  ),
  SinebarAlarmsUntold: one(
    `sinebar_alarm_messages_oldest_seconds{${JOB}}`,
    '1200x60',
    '899x60',
    { job: 'sinebar-inspection' },
    'a message about alarms has not arrived for 20m 0s',
  ),
  SinebarRemovalsPileUp: one(
    `sinebar_background_backlog{${JOB}, service="raw-data", task="blob removal"}`,
    '2000x90',
    '2000x20 0x70',
    { service: 'raw-data', task: 'blob removal' },
    'blob removal has 2000 to do and does not get on',
  ),
  SinebarGuessedPasswords: one(
    `sinebar_authentication_refusals_total{${JOB}, reason="wrong"}`,
    '0+120x60',
    '0+30x60',
    { job: 'sinebar-inspection' },
    '2 refused sign-ins per second at sinebar-inspection',
  ),
  SinebarSignInUnavailable: one(
    `sinebar_authentication_refusals_total{${JOB}, reason="unavailable"}`,
    '0+1x60',
    '7x60',
    { ...instance, reason: 'unavailable' },
    'users cannot sign in at a:9464: the provider cannot be asked',
  ),
  SinebarEventLoopBlocked: one(
    `nodejs_eventloop_lag_p99_seconds{${JOB}}`,
    '0.7x60',
    '0.1x60',
    instance,
    'a:9464 answers late: one piece of work takes 700ms',
  ),
  SinebarFewFilesLeft: share(
    `process_open_fds{${JOB}}`,
    `process_max_fds{${JOB}}`,
    '81x60',
    '80x60',
    instance,
    'a:9464 has nearly as many open files and connections as it may have',
  ),
  SinebarDiskFilling: disk('14x60', '15x60', 'the disk "postgres" of a:9464 has 14% of its space left'),
  SinebarDiskFull: disk('4x60', '5x60', 'the disk "postgres" of a:9464 is nearly full: 4% are left'),
  SinebarSpoolFilling: share(
    `sinebar_spool_bytes{${JOB}, service="raw-data"}`,
    `sinebar_spool_limit_bytes{${JOB}, service="raw-data"}`,
    '90x60',
    '90 90 0 90 90 0x55',
    { ...instance, service: 'raw-data' },
    'uploads and imports take 90% of what a:9464 keeps for them',
  ),
  SinebarStreamNearLimit: share(
    `sinebar_stream_bytes{${JOB}, service="inspection"}`,
    `sinebar_stream_limit_bytes{${JOB}, service="inspection"}`,
    '95x60',
    '90x60',
    { service: 'inspection' },
    'the event stream takes 95% of its space and removes events before their time at 100 %',
  ),
  SinebarBackupOld: one(
    `sinebar_backup_newest_timestamp_seconds{${JOB}}`,
    '0x3000',
    '0x1439 86400x1440',
    instance,
    'no scheduled backup was made for 1d 18h 0m 0s',
  ),
  SinebarBackupFailed: one(
    `sinebar_backup_failed{${JOB}}`,
    '1x60',
    '0x60',
    instance,
    'the last backup of a:9464 failed; its log has the reason',
  ),
  SinebarVolumeFilling: share(
    'kubelet_volume_stats_available_bytes{namespace="sinebar", persistentvolumeclaim="sinebar-backup"}',
    'kubelet_volume_stats_capacity_bytes{namespace="sinebar", persistentvolumeclaim="sinebar-backup"}',
    '10x60',
    '15x60',
    { namespace: 'sinebar', persistentvolumeclaim: 'sinebar-backup' },
    'the volume sinebar-backup has 10% of its space left',
  ),
  // A CronJob that has never succeeded counts from its creation.
  SinebarBackupJobOld: {
    series: { 'kube_cronjob_created{namespace="sinebar", cronjob="backup"}': '0x3000' },
    quiet: {
      'kube_cronjob_created{namespace="sinebar", cronjob="backup"}': '0x3000',
      'kube_cronjob_status_last_successful_time{namespace="sinebar", cronjob="backup"}': '7200x1440 93600x1560',
    },
    labels: { namespace: 'sinebar', cronjob: 'backup' },
    summary: 'the CronJob backup has made no backup for 1d 18h 0m 0s',
  },
  SinebarBackupJobFailed: one(
    'kube_job_status_failed{namespace="sinebar", job_name="backup-29000000"}',
    '1x60',
    '0x60',
    { namespace: 'sinebar', job_name: 'backup-29000000' },
    'the Job backup-29000000 failed; its log has the reason',
  ),
};
/** Minutes after which alerts are looked at, where an hour does not do. */
const MINUTES: Readonly<Record<string, number>> = { SinebarBackupOld: 2520, SinebarBackupJobOld: 2520, SinebarRemovalsPileUp: 85 };

describeUnless(PROGRAM === undefined ? 'no promtool; Go builds it' : undefined, 'alert rules in promtool', () => {
  const program = PROGRAM ?? '';
  const folder = mkdtempSync(join(tmpdir(), 'sinebar-alerts-'));
  afterAll(() => rmSync(folder, { recursive: true }));

  const evaluate = (name: string, series: Case['series'], alerts: readonly object[]) => {
    const file = join(folder, `${name}.yml`);
    const eval_time = `${MINUTES[name] ?? 50}m`;
    const input_series = Object.entries(series).map(([named, values]) => ({ series: named, values }));
    const tests = [{ interval: '1m', input_series, alert_rule_test: [{ eval_time, alertname: name, exp_alerts: alerts }] }];
    writeFileSync(file, JSON.stringify({ rule_files: RULES, evaluation_interval: '1m', tests }));
    const { status, stdout, stderr } = spawnSync(program, ['test', 'rules', file], { encoding: 'utf8' });
    return { status, output: status === 0 ? '' : stdout + stderr };
  };
  const SOUND = { status: 0, output: '' };

  it('are valid, with their texts', () => {
    const { status, stderr } = spawnSync(program, ['check', 'rules', ...RULES], { encoding: 'utf8' });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  });

  it('all have a case below', () => {
    expect(ALERTS.map(({ alert }) => alert)).toEqual(Object.keys(CASES));
  });

  it.each(Object.entries(CASES))('%s fires', (name, { series, labels, summary }) => {
    const severity = ALERTS.find(({ alert }) => alert === name)?.labels.severity;
    expect(evaluate(name, series, [{ exp_labels: { ...labels, severity }, exp_annotations: { summary } }])).toEqual(SOUND);
  });

  it.each(Object.entries(CASES))('%s does not fire when nothing is wrong', (name, { quiet }) => {
    expect(evaluate(name, quiet, [])).toEqual(SOUND);
  });
});
