import type { LocalStack } from '../../../dev/emulator/emulator.ts';
import type { SecretType } from '../../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../../shared/reference-data/documents.ts';
import type { Store } from '../../../shared/store/store.ts';
import type { Target } from '../../testbed/population.ts';

/** An environment, and where its SDKs connect to. */
export interface Environment {
  readonly id: string;
  readonly target: (type: SecretType) => Target;
}

/** Creates an environment with FeatBit's benchmark flags. */
export async function createEnvironment(stack: LocalStack, store: Store, name: string): Promise<Environment> {
  const { environment, secrets } = await store.environments.create(name);
  const documents = referenceDocuments();
  await store.documents.import(environment.id, documents);
  const { hostname: host, port } = new URL(stack.streamingUrl);
  return {
    id: environment.id,
    target: (type) => ({
      addresses: [{ host, port: Number(port) }],
      key: secrets.find(({ record }) => record.type === type)?.value ?? '',
      type,
      flags: documents.filter(({ kind }) => kind === 'flag').length,
    }),
  };
}
