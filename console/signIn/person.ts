import type { JWTPayload } from 'jose';
import { printable } from '../../shared/protocol/printable.ts';
import { EVERYBODY, type SignInRoles, type SignInSettings } from '../../shared/signIn/settings.ts';
import type { Permissions } from '../api.ts';
import type { Right } from '../rights.ts';
import { RequestError } from '../server/failure.ts';

/** A signed-in person. */
export interface Person {
  /** The claim `sub`, which the provider gives to no one else. */
  readonly id: string;
  /** The name in the history, without characters that mislead a reader. */
  readonly name: string;
  readonly may: Permissions;
}

const ACTS: Readonly<Record<Right, string>> = {
  viewer: 'see this console',
  editor: 'change flags in this environment',
  administrator: 'change environments or keys',
};

/** Maximum number of groups in a message. */
const SHOWN_GROUPS = 50;

/**
 * Finds out what a person may do, from the groups in their ID token. Groups match exactly: they are not split, trimmed or
 * changed to small letters.
 *
 * @param claims verified ones
 * @throws {RequestError} without any right. The message lists the groups
 */
export function personIn(claims: JWTPayload, settings: SignInSettings): Person {
  const groups = groupsIn(claims, settings.groupsClaim);
  const has = (wanted: readonly string[]) => wanted.some((group) => group !== EVERYBODY && groups.includes(group));
  const edit = Object.keys(settings.editors).filter((id) => has(settings.editors[id] ?? []));
  const administer = has(settings.administrators);
  const { sub: id = '' } = claims;
  const claimed = valueIn(claims, settings.nameClaim);
  const name = printable(typeof claimed === 'string' && claimed !== '' ? claimed : id);
  const isViewer = has(settings.viewers) || settings.viewers.includes(EVERYBODY);
  if (isViewer || administer || edit.length > 0) return { id, name, may: { edit, administer } };
  throw new RequestError('no-access', describeGroups(name, groups, settings));
}

/** A list, or one text taken whole. An address counts only if the provider verified it. */
function groupsIn(claims: JWTPayload, claim: string): string[] {
  return [valueIn(claims, claim)].flat().filter((each) => typeof each === 'string' && each !== '') as string[];
}

function valueIn(claims: JWTPayload, claim: string): unknown {
  const isUnverified = claim === 'email' && String(claims['email_verified']) !== 'true';
  return Object.hasOwn(claims, claim) && !isUnverified ? claims[claim] : undefined;
}

function describeGroups(name: string, groups: readonly string[], { groupsClaim }: SignInSettings): string {
  const shown = groups.slice(0, SHOWN_GROUPS).map((group) => JSON.stringify(group));
  if (groups.length > shown.length) shown.push(`${groups.length - shown.length} more`);
  const found = groups.length === 0 ? `no group in the claim "${groupsClaim}"` : `these groups: ${shown.join(', ')}`;
  return `${name} is signed in, but has no access. The token has ${found}. Ask those who deploy this console to name one of your groups exactly in console.signIn.viewers, editors or administrators, and to deploy again.`;
}

/**
 * Chooses the role for a request: of those that a person has, the one with the fewest permissions that suffices.
 *
 * @param roles ARNs
 * @param env the environment of the request. Only its exact id matches
 * @throws {RequestError} if the person has no such role
 */
export function leastRole({ may }: Person, roles: SignInRoles, needed: Right, env: string): string {
  const editors = needed === 'viewer' ? may.edit : may.edit.filter((id) => needed === 'editor' && id === env);
  const found = [
    needed === 'viewer' ? roles.viewer : undefined,
    ...editors.map((id) => roles.editors[id]),
    may.administer ? roles.administrator : undefined,
  ].find((arn) => arn !== undefined);
  if (found !== undefined) return found;
  throw new RequestError('no-access', `you are signed in without the right to ${ACTS[needed]}`);
}
