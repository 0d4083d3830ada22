import type { z } from 'zod';
import { nearest } from './nearest.ts';
import { listSettings, valueAt } from './settingsList.ts';

/**
 * One line for each of zod's issues. Unknown keys come first. A missing key is not named if its group has an unknown one: that is
 * probably the missing one, misspelt.
 */
export function explainIssues(issues: readonly z.core.$ZodIssue[], given: unknown): string {
  const unknown = issues.flatMap((issue) =>
    issue.code === 'unrecognized_keys' ? issue.keys.map((key) => [...issue.path, key].join('.')) : [],
  );
  const groups = unknown.map(groupOf);
  const others = issues.filter(({ code, path }) => {
    const key = path.join('.');
    return code !== 'unrecognized_keys' && !(valueAt(given, key) === undefined && groups.includes(groupOf(key)));
  });
  return [...unknown.map(explainUnknownKey), ...others.map((issue) => explainIssue(issue, given))].join('\n');
}

function groupOf(key: string): string {
  return key.split('.').slice(0, -1).join('.');
}

function explainIssue(issue: z.core.$ZodIssue, given: unknown): string {
  const key = issue.path.join('.');
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
function detail(issue: z.core.$ZodIssue): string | undefined {
  return issue.code === 'invalid_key' ? issue.issues[0]?.message : issue.message;
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
