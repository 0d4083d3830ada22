import type { z } from 'zod';
import { nearest } from './nearest.ts';
import { listSettings, valueAt } from './settingsList.ts';

/** One line for the first of zod's issues. Unknown keys come first: they may be the reason for missing ones. */
export function explainIssues(issues: readonly z.core.$ZodIssue[], given: unknown): string {
  const unknown = issues.find((issue) => issue.code === 'unrecognized_keys');
  if (unknown) return explainUnknownKey([...unknown.path, unknown.keys[0]].join('.'));
  const [issue] = issues;
  const key = issue?.path.join('.') ?? '';
  if (key === '') return 'Settings must be a JSON object.';
  const value = valueAt(given, key);
  if (value === undefined) {
    const setting = listSettings().find((each) => each.key === key);
    return `${key} is missing: ${setting?.description}.`;
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${key}=${text} cannot be used: ${detail(issue)}.`;
}

/** Of a key of a record, zod says what is wrong one level further down. */
function detail(issue: z.core.$ZodIssue | undefined): string | undefined {
  return issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
}

/** One line for an unknown key, with the nearest setting. */
export function explainUnknownKey(key: string): string {
  return `${key} is not a setting: did you mean ${nearestSetting(key)}? \`npm run deploy -- --settings\` lists all.`;
}

/** The setting with the smallest edit distance to a key. */
export function nearestSetting(key: string): string {
  const keys = listSettings().map((setting) => setting.key);
  const found = nearest(
    key.toLowerCase(),
    keys.map((each) => each.toLowerCase()),
  );
  return keys.find((each) => each.toLowerCase() === found) ?? found;
}
