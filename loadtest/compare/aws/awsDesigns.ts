import { byKind } from '../../../shared/flags/document.ts';
import { envIdOfSecret } from '../../../shared/protocol/secret.ts';
import { referenceDocuments } from '../../../shared/reference-data/documents.ts';
import { requireDocument } from '../../../shared/store/documents/item.ts';
import { addEnvironment, openTable } from '../../machine/flagFlips.ts';
import { cloudWatchReader, readInstance, readService } from '../../runner/cloudWatch.ts';
import type { Target } from '../../runner/target.ts';
import type { MeasurableDesign } from '../designs.ts';
import type { CompareStage } from './compareStage.ts';

/** The default size of a task. */
const TASK = { vcpu: 1, memoryGb: 2 };

/** The environment under load. */
interface LoadEnvironment {
  readonly envId: string;
  readonly clientKey: string;
  readonly table: NonNullable<Target['table']>;
}

/** Adds an environment with the benchmark's flags. It is deleted with the stage. @param name of the flags table */
export async function createLoadEnvironment(name: string, region: string): Promise<LoadEnvironment> {
  const table = { name, environment: { AWS_REGION: region } };
  const clientKey = await addEnvironment(table, `load-${Date.now()}`, referenceDocuments());
  return { envId: envIdOfSecret(clientKey) ?? '', clientKey, table };
}

/** The deployed designs, by the names of `--target`. */
export function awsDesigns(
  stage: CompareStage,
  { envId, clientKey, table }: LoadEnvironment,
  region: string,
  usageDelayMs: number,
): Record<string, MeasurableDesign> {
  type ReadUsage = NonNullable<Target['readUsage']>;
  const design = (
    about: Pick<MeasurableDesign, 'name' | 'title' | 'architecture' | 'setup'>,
    stack: 'Serverless' | 'Host' | 'Fargate',
    usage?: () => Promise<ReadUsage>,
  ): MeasurableDesign => ({
    ...about,
    setup: `deployed in ${region}, ${about.setup}`,
    source: 'AWS',
    part: 1,
    open: async () => ({
      name: about.name,
      clientKey,
      pids: [],
      table,
      urls: [await stage.output(stack, 'StreamingUri')],
      environment: { envId, ...(await readDocuments(table, envId)) },
      notes: ['Changes were made from the machine that ran the command. Their times depend on its clock.'],
      ...(usage && { usageDelayMs, readUsage: await usage() }),
      close: async () => {},
    }),
  });
  const readHost = async (): Promise<ReadUsage> => {
    const instance = await stage.output('Host', 'HostId');
    return (from, to) => readInstance(cloudWatchReader(region), instance, from, to);
  };
  const readTasks = async (): Promise<ReadUsage> => {
    const [cluster = '', service = ''] = (await stage.output('Fargate', 'EcsService')).split('/');
    return (from, to) => readService(cloudWatchReader(region), { cluster, service, ...TASK }, from, to);
  };
  const balanced =
    'behind a network load balancer; processor and memory are those of a task on average over a minute, as ECS measures them';
  return {
    serverless: design(
      { name: 'serverless', title: 'serverless', architecture: 'serverless', setup: "with the account's quotas" },
      'Serverless',
    ),
    host: design(
      { name: 'host', title: 'one host, t2.micro', architecture: 't2', setup: "in the load generator's network" },
      'Host',
      readHost,
    ),
    fargate: design(
      { name: 'fargate', title: 'Fargate, two tasks', architecture: 'fargate', setup: balanced },
      'Fargate',
      readTasks,
    ),
  };
}

/** The current flags of the environment. Earlier runs may have changed them. */
async function readDocuments(table: LoadEnvironment['table'], envId: string) {
  const store = openTable(table);
  try {
    return byKind((await store.documents.load(envId)).map(requireDocument));
  } finally {
    store.close();
  }
}
