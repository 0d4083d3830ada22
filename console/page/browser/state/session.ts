import { computed, signal } from '@preact/signals';
import type { Context, EnvironmentName } from '../../../api.ts';
import { environmentToOpen, sortedByName } from '../../logic/environments.ts';
import { messageOf, RequestFailure } from '../api/failure.ts';
import { noteServer, request } from '../api/request.ts';
import { route } from './route.ts';

/** What is looked at, and by whom; undefined until the server has said so. */
export const context = signal<Context | undefined>(undefined);
/** By name. */
export const environments = signal<readonly EnvironmentName[] | undefined>(undefined);
/** Why there is nothing to see. */
export const startProblem = signal<string | undefined>(undefined);
/** Whether the server does not know this page's token. */
export const isRefused = signal(false);

/** The environment that is looked at. */
export const environment = computed(() => environments.value?.find(({ id }) => id === route.value.envId));

/** The environment that opens where the address names none. */
export function firstEnvironment(): EnvironmentName | undefined {
  return environmentToOpen(environments.value ?? [], localStorage.getItem(lastUsedName()) ?? undefined);
}

/** Notes the environment that is looked at as the one used last. Where it is the only one, nobody chose it. */
export function noteLastUsed(envId: string): void {
  if ((environments.value?.length ?? 0) > 1) localStorage.setItem(lastUsedName(), envId);
}

/** Each table has its own: one browser may look at several. */
function lastUsedName(): string {
  return `environment ${context.value?.region} ${context.value?.table}`;
}

/** Asks who is here and what there is; again after a problem. */
export async function start(): Promise<void> {
  try {
    const [who, all] = await Promise.all([request('GET context', {}), request('GET environments', {})]);
    context.value = who;
    noteServer(who.mode);
    environments.value = sortedByName(all);
    startProblem.value = undefined;
  } catch (error) {
    isRefused.value = error instanceof RequestFailure && error.code === 'token-required';
    startProblem.value = messageOf(error);
  }
}

/**
 * Whether a new environment is asked for. Not the state of a view: the first environment ends the view that asked, before
 * its keys are read.
 */
export const isAddingEnvironment = signal(false);

/** Asks for a new environment. */
export function addEnvironment(): void {
  isAddingEnvironment.value = true;
}

/** Puts an environment among those that are known, in place of what was known of it. */
export function noteEnvironment({ id, name, isProduction }: EnvironmentName): void {
  const others = (environments.value ?? []).filter((each) => each.id !== id);
  environments.value = sortedByName([...others, { id, name, isProduction }]);
}
