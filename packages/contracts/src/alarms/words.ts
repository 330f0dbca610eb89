/** Kinds of an alarm: a value beyond a limit, a broken rule of the chart, a process that got worse, or nothing measured. */
export const ALARM_KINDS = ['tolerance', 'plausibility', 'rule', 'process', 'silence'] as const;
export type AlarmKind = (typeof ALARM_KINDS)[number];

export const ALARM_STATES = ['raised', 'acknowledged', 'closed', 'withdrawn'] as const;
export type AlarmState = (typeof ALARM_STATES)[number];

/** States of alarms that somebody still has to look at. */
export const OPEN_ALARM_STATES = ['raised', 'acknowledged'] as const satisfies AlarmState[];

export const DELIVERY_STATES = ['waiting', 'sending', 'delivered', 'failed', 'cancelled'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];
