import { withoutDeleted } from '../../shared/flags/deletion.ts';
import { formatTimestamp } from '../../shared/flags/timestamp.ts';
import { keepAnswers } from '../../shared/runtime/keepAnswers.ts';
import { mapConcurrently } from '../../shared/runtime/mapConcurrently.ts';
import { contentOf, decodeDocument, type StoredDocument } from '../../shared/store/documents/item.ts';
import type { Environment } from '../../shared/store/environments/environment.ts';
import type { IssuedSecret, SecretRecord } from '../../shared/store/environments/secrets.ts';
import type { FlagStore } from '../../shared/store/store.ts';
import { hashSecret } from '../../shared/store/table/keys.ts';
import type {
  EnvironmentContent,
  EnvironmentSettings,
  Import,
  Secret,
  IssuedSecret as ShownIssued,
  UnreadableDocument,
  VersionedDocument,
} from '../api.ts';
import { type Elsewhere, flagState, OTHER_ENVIRONMENTS } from '../elsewhere.ts';
import type { Handlers } from './consoleContext.ts';

type StateList = Elsewhere['others'][number]['flags'];

/** Maximum number of lists of states that are kept, one for each version of an environment. */
const KEPT_LISTS = 100;

/** Handlers of requests about environments and their secrets. @param keptSecrets as in `ConsoleContext` */
export function environmentHandlers(store: FlagStore, keptSecrets: readonly string[]) {
  const keptStates = keepAnswers<StateList>(Number.POSITIVE_INFINITY, KEPT_LISTS);
  /** Costs one read if nothing has changed. @throws if the operator may not read it, or if it was deleted */
  const statesIn = async (id: string) => {
    const { updatedAt } = await store.documents.version(id);
    return { id, flags: await keptStates(`${id} ${updatedAt}`, 0, () => readStates(store, id)) };
  };
  const kept = new Map(keptSecrets.map((value) => [hashSecret(value), value]));
  return {
    'GET environments': () => store.environments.list(),
    'POST environments': async ({ body: { name } }) => {
      const { environment, secrets } = await store.environments.create(name);
      return { environment: settingsOf(environment), secrets: secrets.map(issued) };
    },
    'PATCH environments/:env': async ({ env, body: { confirm, ...change } }) =>
      settingsOf(await store.environments.change({ id: env }, change)),
    'GET environments/:env': async ({ env }) => {
      const environment = await store.environments.find(env);
      // Read before the documents: later writes are reported as a later version.
      const { updatedAt: version } = await store.documents.version(env);
      const secrets = environment.secrets.map((record) => {
        const value = kept.get(record.hash);
        return { ...shownSecret(record), ...(value === undefined ? {} : { value }) };
      });
      const documents = await store.documents.load(env);
      const imports = await importsInto(store, environment, documents);
      return { environment: settingsOf(environment), version, ...sorted(documents), secrets, imports };
    },
    'GET environments/:env/elsewhere': async ({ env }) => {
      await store.environments.find(env);
      const others = (await store.environments.list()).filter(({ id }) => id !== env).slice(0, OTHER_ENVIRONMENTS);
      const read = await mapConcurrently(others, ({ id }) => statesIn(id).catch(() => undefined));
      return { others: read.filter((each) => each !== undefined) };
    },
    'POST environments/:env/secrets': async ({ env, body: { name, type } }) =>
      issued(await store.secrets.create(env, name, type)),
    'POST environments/:env/secrets/:secret/rotate': async ({ env, secret, body: { graceMs } }) =>
      issued(await store.secrets.rotate(env, secret, graceMs)),
    'POST environments/:env/secrets/:secret/revoke': async ({ env, secret }) =>
      shownSecret(await store.secrets.revoke(env, secret)),
  } satisfies Partial<Handlers>;
}

/** A document with its version. @returns undefined if it cannot be read */
export function versioned(stored: StoredDocument): VersionedDocument | undefined {
  const document = contentOf(stored);
  const { kind, updatedAt: version } = stored;
  return (
    document && ({ kind, version, document: { ...document, updatedAt: formatTimestamp(version) } } as VersionedDocument)
  );
}

async function readStates({ documents }: FlagStore, id: string): Promise<StateList> {
  const all = (await documents.load(id)).flatMap((each) => versioned(each) ?? []);
  return withoutDeleted(all).flatMap((each) =>
    each.kind === 'flag' ? [[each.document.key, flagState(each.document)] as const] : [],
  );
}

/** Reads only changes with a version older than the environment, and the next one. */
async function importsInto(
  { history }: FlagStore,
  { id, createdAt }: Environment,
  documents: readonly StoredDocument[],
): Promise<Import[]> {
  const created = Date.parse(createdAt);
  if (documents.every(({ updatedAt }) => updatedAt >= created)) return [];
  const next = await history.entryOf(id, created);
  const entries = next ? [next] : [];
  for await (const entry of history.entries(id, created)) entries.push(entry);
  return entries.map(({ previous, version, at, command }) => ({ previous, version, at, command }));
}

function settingsOf({ secrets, revision, ...settings }: Environment): EnvironmentSettings {
  return settings;
}

function sorted(all: readonly StoredDocument[]): Pick<EnvironmentContent, 'documents' | 'unreadable'> {
  const documents: VersionedDocument[] = [];
  const unreadable: UnreadableDocument[] = [];
  for (const stored of all) {
    const document = versioned(stored);
    const { kind, id, updatedAt: version } = stored;
    if (document) documents.push(document);
    else unreadable.push({ kind, id, version, problems: decodeDocument(stored).problems });
  }
  return { documents, unreadable };
}

function shownSecret({ hash, ...shown }: SecretRecord): Secret {
  return shown;
}

function issued({ record, value }: IssuedSecret): ShownIssued {
  return { ...shownSecret(record), value };
}
