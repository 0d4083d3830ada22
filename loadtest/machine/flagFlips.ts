import type { Document } from '../../shared/flags/document.ts';
import { referenceDocuments } from '../../shared/reference-data/documents.ts';
import { type Effects, systemEffects } from '../../shared/runtime/effects.ts';
import { type FlagStore, openStore } from '../../shared/store/store.ts';
import { createDynamoDb, type Table } from '../../shared/store/table/table.ts';
import type { Flip } from '../results/runFiles.ts';
import type { TableAccess } from './emulatorProcess.ts';

/** A flags table, with the time of its response to the last write. The writer returns 100 ms later (record 37). */
export interface MeasuredTable extends FlagStore {
  readonly table: Table;
  readonly lastAnswer: { readonly at: number };
}

const now = () => performance.timeOrigin + performance.now();

/** Opens a flags table, for this process and its children. */
export function openTable({ name, environment }: TableAccess): MeasuredTable {
  // AWS's client reads region, credentials and endpoint from the environment.
  Object.assign(process.env, environment);
  const client = createDynamoDb();
  const lastAnswer = { at: 0 };
  const elapse: Effects['elapse'] = (ms) => {
    lastAnswer.at = now();
    return systemEffects.elapse(ms);
  };
  const effects = { ...systemEffects, elapse };
  return { ...openStore({ client, flags: name }, effects), table: { client, name, effects }, lastAnswer };
}

/** Toggles a flag. @throws Error if there is no such flag, or no table */
export async function flipFlag({ documents, lastAnswer }: MeasuredTable, envId: string, flag: string): Promise<Flip> {
  const beganAt = now();
  const [stored] = await documents.writeFlag(envId, flag, (current) => {
    if (!current) throw new Error(`there is no flag ${flag} to flip: give --flag.`);
    return { ...current, isEnabled: !current.isEnabled };
  });
  return { version: stored?.updatedAt ?? 0, beganAt, acknowledgedAt: lastAnswer.at };
}

/** Adds an environment with these flags and segments to a table. @returns its client key */
export async function addEnvironment(
  table: TableAccess,
  name: string,
  documents: readonly Document[],
): Promise<string> {
  const store = openTable(table);
  try {
    const { environment, secrets } = await store.environments.create(name);
    await store.documents.import(environment.id, documents);
    const secret = secrets.find(({ record }) => record.type === 'client')?.value;
    if (secret === undefined) throw new Error('the new environment has no client key');
    return secret;
  } finally {
    store.close();
  }
}

/** FeatBit's five benchmark flags, repeated under different keys, and its two segments. */
export function repeatedFlags(count: number): Document[] {
  const all = referenceDocuments();
  const flags = all.flatMap((each) => (each.kind === 'flag' ? [each.document] : []));
  return [
    ...all.filter(({ kind }) => kind === 'segment'),
    ...Array.from({ length: count }, (_, n): Document => {
      const flag = flags[n % flags.length] as (typeof flags)[number];
      return { kind: 'flag', document: { ...flag, key: `${flag.key}-${n}` } };
    }),
  ];
}
