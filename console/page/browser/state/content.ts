import { computed, signal } from '@preact/signals';
import { flagToFlip } from '../../../../shared/describe/flagToFlip.ts';
import { referencedSegments } from '../../../../shared/evaluation/flag.ts';
import { withoutDeleted } from '../../../../shared/flags/deletion.ts';
import { documentId } from '../../../../shared/flags/document.ts';
import { isSegmentCondition } from '../../../../shared/flags/rule.ts';
import type {
  EnvironmentContent,
  IssuedSecret,
  Secret,
  VersionedDocument,
  VersionedFlag,
  VersionedSegment,
} from '../../../api.ts';
import { complain } from '../../../ui/announcement.tsx';
import { inOrder } from '../../logic/search.ts';
import { messageOf, RequestFailure, request } from '../api/request.ts';

/** Content of the current environment. Undefined until it is read. */
export const content = signal<EnvironmentContent | undefined>(undefined);
/** The reason why it could not be read. */
export const contentProblem = signal<string | undefined>(undefined);

const present = computed(() => withoutDeleted(content.value?.documents ?? []));
export const flags = computed(() => flagsIn(present.value));
export const segments = computed(() =>
  segmentsIn(present.value).toSorted((a, b) => inOrder(a.document.name, b.document.name)),
);
/** Segments that rules can refer to. Includes deleted ones, which archived flags may use. */
export const allSegments = computed(() => segmentsIn(content.value?.documents ?? []));
export const segmentName = computed(() => {
  const names = new Map(allSegments.value.map(({ document }) => [document.id, document.name]));
  return (id: string) => names.get(id) ?? id;
});

const example = computed(() =>
  flagToFlip(
    flags.value.map(({ document }) => document),
    segments.value.map(({ document }) => document),
  ),
);

/** The flag of a snippet: the wanted one, or that of all examples. Undefined without flags. */
export function offeredFlag(wanted: string | undefined): VersionedFlag | undefined {
  const named = (key: string | undefined) =>
    flags.value.find(({ document }) => document.key === key && !document.isArchived);
  return named(wanted) ?? named(example.value?.key);
}
/** Keys of the flags that use a segment, without archived flags. */
export const segmentUsers = computed(() => {
  const used = flags.value.flatMap(({ document }) =>
    document.isArchived ? [] : [...referencedSegments(document)].map((id) => ({ id, key: document.key })),
  );
  const bySegment = Map.groupBy(used, ({ id }) => id);
  return (id: string) => (bySegment.get(id) ?? []).map(({ key }) => key);
});

/** The read that is running. A newer one replaces it, and its answer is ignored. */
let loading: { readonly envId: string } | undefined;
/** True if a newer version was announced during a read. */
let isOutdated = false;

/** Reads an environment and replaces the content. */
export async function load(envId: string): Promise<void> {
  if (content.value?.environment.id !== envId) content.value = undefined;
  const started = { envId };
  loading = started;
  isOutdated = false;
  try {
    const read = await request('GET environments/:env', { env: envId });
    if (loading !== started) return;
    content.value = read;
    contentProblem.value = undefined;
    loading = undefined;
    if (isOutdated) await load(envId);
  } catch (error) {
    if (loading !== started) return;
    loading = undefined;
    // The page keeps its content. Its header shows that the server does not answer.
    if (!content.value) contentProblem.value = messageOf(error);
    else if (!(error instanceof RequestFailure && error.code === 'unreachable')) complain(messageOf(error));
  }
}

/** Reads the environment again if a newer version exists. */
export function hearOf(envId: string, version: number): void {
  const shown = content.value;
  if (loading?.envId === envId) isOutdated = true;
  else if (shown?.environment.id === envId && version > shown.version) void load(envId);
}

/** Adds written documents to the content. */
export function take(all: readonly VersionedDocument[]): void {
  const shown = content.value;
  const written = all.filter(({ document }) => document.envId === shown?.environment.id);
  if (!shown || written.length === 0) return;
  const isWritten = (one: VersionedDocument) =>
    written.some((other) => other.kind === one.kind && documentId(other) === documentId(one));
  content.value = {
    ...shown,
    version: Math.max(shown.version, ...written.map(({ version }) => version)),
    documents: [...shown.documents.filter((document) => !isWritten(document)), ...written],
  };
}

/** A flag by its key, or a segment by its id. */
export function find(kind: VersionedDocument['kind'], id: string): VersionedDocument | undefined {
  return present.value.find((document) => document.kind === kind && documentId(document) === id);
}

/** True if a flag or segment was deleted and its key is unused. */
export function isDeleted(kind: VersionedDocument['kind'], id: string): boolean {
  const all = content.value?.documents ?? [];
  return all.some((each) => each.kind === kind && documentId(each) === id && each.document.isDeleted);
}

/** The flags that are not deleted, by their keys. */
export function flagsIn(documents: readonly VersionedDocument[]): VersionedFlag[] {
  return withoutDeleted(documents)
    .filter((each) => each.kind === 'flag')
    .toSorted((a, b) => inOrder(a.document.key, b.document.key));
}

/** All tags of flags. */
export function tagsOf(of: readonly VersionedFlag[]): string[] {
  return [...new Set(of.flatMap(({ document }) => document.tags))].toSorted((a, b) => a.localeCompare(b));
}

/** The segments, with those that were deleted. */
export function segmentsIn(documents: readonly VersionedDocument[]): VersionedSegment[] {
  return documents.filter((each) => each.kind === 'segment');
}

/** Built-in attributes, and attributes in rules of the environment. */
export const knownAttributes = computed(() => {
  const rules = [...flags.value, ...segments.value].flatMap(({ document }) => [...document.rules]);
  const asked = rules.flatMap(({ conditions }) =>
    conditions.filter((condition) => !isSegmentCondition(condition)).map(({ property }) => property),
  );
  return [...new Set(['keyId', 'name', ...asked.toSorted()])];
});

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
