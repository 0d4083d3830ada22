import type { z } from 'zod';
import { requirement } from '../../shared/command/requirement.ts';
import { nearest } from '../../shared/flags/nearest.ts';
import { ownCommand } from '../../shared/runtime/ownCommand.ts';
import { explainSeveral } from './host.ts';
import { listSettings, type Setting, valueAt } from './settingsList.ts';

/** The start of zod's own messages. */
const ZOD_MESSAGE = /^(Invalid input|Invalid option|Too small|Too big):/;

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
    return `${key} is missing: ${settingOf(issue)?.description}.`;
  }
  const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
  return `${key}=${text} cannot be used: ${detail(issue)}.`;
}

/** The requirement for the value: the message of the schema, or zod's. The issue of a record's key is one level further down. */
function detail(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code === 'invalid_key') return issue.issues[0]?.message;
  if (!ZOD_MESSAGE.test(issue.message)) return issue.message;
  // A text that is no number has only the issue of its type, because zod checks that first.
  const isWhole = issue.code === 'invalid_type' && settingOf(issue)?.isWhole;
  return requirement(isWhole ? { ...issue, expected: 'int' } : issue) ?? issue.message;
}

function settingOf({ path }: z.core.$ZodIssue): Setting | undefined {
  return listSettings().find(({ key }) => key === path.join('.'));
}

/** One line for an unknown key: the way out, or the nearest setting. */
export function explainUnknownKey(key: string): string {
  const several = explainSeveral(key);
  if (several !== undefined) return several;
  // In flagwire-cdk, the types list all properties.
  const list = globalThis.IN_PACKAGE ? '' : ` \`${ownCommand('deploy', '--settings')}\` lists all.`;
  return `${key} is not a setting: did you mean ${nearestSetting(key)}?${list}`;
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
