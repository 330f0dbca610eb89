/**
 * SQL expression that identifies the time between two starts of a server; every role may read it.
 * It changes with a start of the main process, and with a reset of the statistics, which follows every crash recovery.
 * A manual reset of the background writer's statistics makes outcomes unknown, never wrong.
 */
export const SERVER_LIFE = `concat_ws(' ',
  extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()))`;
