/**
 * Names the time between two starts of a server, as text: another start of its main process, or a reset of its statistics, which comes with every recovery
 * after the crash of one of its processes. Somebody who resets the statistics of the background writer makes outcomes unknown, never wrong. An expression
 * that every role may read.
 */
export const SERVER_LIFE = `concat_ws(' ', extract(epoch FROM pg_postmaster_start_time()), extract(epoch FROM pg_stat_get_bgwriter_stat_reset_time()))`;
