import { computed, signal } from '@preact/signals';
import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import { plainText } from '../../../../shared/describe/plainText.ts';
import type { Context, EnvironmentName } from '../../../api.ts';
import type { Right } from '../../../rights.ts';
import { environmentToOpen, sortedByName } from '../../logic/environments.ts';
import { messageOf, noteServer, RequestFailure, request } from '../api/request.ts';
import { noteSignedIn, onSignIn, waitForRenewal } from '../api/signIn.ts';
import { route } from './route.ts';

/** The table and the operator. Undefined before the first answer. */
export const context = signal<Context | undefined>(undefined);
/** By name. */
export const environments = signal<readonly EnvironmentName[] | undefined>(undefined);
/** The reason why loading failed. */
export const startProblem = signal<string | undefined>(undefined);
/** True if the server refuses this page's token. */
export const isRefused = signal(false);
/** True if the signed-in person has no access. */
export const isWithoutAccess = signal(false);

/** An author, command or reason of the history, for the operator. */
export function plain(text: string): string {
  const own = context.value?.mode === 'local' ? context.value.by : undefined;
  return plainText(text, { now: Date.now(), own });
}

/** The current environment. */
export const environment = computed(() => environments.value?.find(({ id }) => id === route.value.envId));

/** The role of the person who is signed in, in an environment. Undefined without a sign-in. */
export function roleIn(envId: string | undefined): Right | undefined {
  const permissions = context.value?.may;
  if (!permissions || permissions.administer) return permissions && 'administrator';
  return permissions.edit.includes(envId ?? '') ? 'editor' : 'viewer';
}

/** Whether the operator may change an environment's flags, or environments and keys. Without a sign-in, AWS decides. */
export function may(needed: 'editor' | 'administrator', envId?: string): boolean {
  const role = roleIn(envId);
  return role === undefined || role === needed || role === 'administrator';
}

/** The environment to open if the address names none. */
export function firstEnvironment(): EnvironmentName | undefined {
  const lastUsed = localStorage.getItem(lastUsedName()) ?? undefined;
  return environmentToOpen(environments.value ?? [], lastUsed, context.value?.defaultEnvironment);
}

/** Stores the current environment as the last used one. Not with a single environment, which nobody chose. */
export function noteLastUsed(envId: string): void {
  if ((environments.value?.length ?? 0) > 1) localStorage.setItem(lastUsedName(), envId);
}

/** One key for each table. */
function lastUsedName(): string {
  return `environment ${context.value?.region} ${context.value?.table}`;
}

/** Reads context and environments, also again after a problem. */
export async function start(): Promise<void> {
  await waitForRenewal();
  try {
    const [who, all] = await Promise.all([request('GET context', {}), request('GET environments', {})]);
    if (who.person && !context.value) noteSignedIn(who.person);
    context.value = who;
    noteServer(who);
    environments.value = sortedByName(all);
    startProblem.value = undefined;
    isWithoutAccess.value = false;
  } catch (error) {
    const code = error instanceof RequestFailure ? error.code : undefined;
    isRefused.value = code === 'token-required';
    isWithoutAccess.value = code === 'no-access';
    startProblem.value = messageOf(error);
  }
}

onSignIn(() => void start());

/**
 * True while the dialog for a new environment is open. It is not the state of a view, because the first environment
 * closes the view before its keys are shown.
 */
export const isAddingEnvironment = signal(false);

/** Opens the dialog for a new environment. */
export function addEnvironment(): void {
  isAddingEnvironment.value = true;
}

/** Adds or replaces an environment. */
export function noteEnvironment({ id, name, isProduction }: EnvironmentName): void {
  const others = (environments.value ?? []).filter((each) => each.id !== id);
  environments.value = sortedByName([...others, { id, name, isProduction }]);
}

/** The environment that a view or dialog shows and changes. */
export const ShownEnvironment = createContext<EnvironmentName | undefined>(undefined);

/** The environment of the view or dialog that the component is in. */
export function useEnvironment(): EnvironmentName {
  return useContext(ShownEnvironment) ?? { id: '', name: '', isProduction: false };
}
