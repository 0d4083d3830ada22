import { signal } from '@preact/signals';
import type { IssuedSecret, Secret } from '../../../api.ts';
import { content } from './content.ts';

/** Secrets that were created on this page, by id. The page forgets them when it closes. */
const values = signal<ReadonlyMap<string, string>>(new Map());

/** Stores new secrets for the snippets. */
export function remember(secrets: readonly IssuedSecret[]): void {
  values.value = new Map([...values.value, ...secrets.map(({ id, value }) => [id, value] as const)]);
}

/** A key of the current environment that is not revoked, if this page or this machine has its value. */
export function knownKey(type: Secret['type']): string | undefined {
  return content.value?.secrets
    .filter((secret) => secret.type === type && !(Date.parse(secret.revokedAt ?? '') <= Date.now()))
    .map(({ id, value }) => value ?? values.value.get(id))
    .find((value) => value !== undefined);
}
