/** Settings of the stage of a comparison, by key. */
export type CompareSettings = Readonly<Record<string, string | number | boolean>>;

/** Nothing is retained; a load generator; metrics of the host every second. */
const SETTINGS = {
  'host.loadGenerator': true,
  'host.metricsSeconds': 1,
  alarms: false,
  lean: true,
  retainData: false,
  streamingAccessLogs: 'off',
  terminationProtection: false,
} as const;

/** Two tasks, without scaling: the compared design. */
const FARGATE_SETTINGS = { 'fargate.allowInsecure': true, 'fargate.maximum': 2 } as const;

/** The settings that deploy these designs. */
export function compareSettings(targets: readonly string[]): CompareSettings {
  return { ...SETTINGS, ...(targets.includes('fargate') && FARGATE_SETTINGS) };
}
