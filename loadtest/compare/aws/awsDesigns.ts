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
  environment: LoadEnvironment,
  region: string,
  usageDelayMs: number,
): Record<string, MeasurableDesign> {
  const at = { source: 'AWS', part: 1 } as const;
  const reader = () => cloudWatchReader(region);
  const open = async (name: string, stack: 'Serverless' | 'Host' | 'Fargate'): Promise<Target> => {
    const { envId, clientKey, table } = environment;
    return {
      name,
      urls: [await stage.output(stack, 'StreamingUri')],
      ...{ clientKey, pids: [], table },
      environment: { envId, ...(await readDocuments(table, envId)) },
      notes: ['Changes were made from the machine that ran the command. Their times depend on its clock.'],
      close: async () => {},
    };
  };
  return {
    serverless: {
      name: 'serverless',
      title: 'serverless',
      setup: `deployed in ${region}, with the account's quotas`,
      architecture: 'serverless',
      ...at,
      open: () => open('serverless', 'Serverless'),
    },
    host: {
      name: 'host',
      title: 'one host, t2.micro',
      setup: `deployed in ${region}, in the load generator's network`,
      architecture: 't2',
      ...at,
      open: async () => {
        const instance = await stage.output('Host', 'HostId');
        const readUsage = (from: Date, to: Date) => readInstance(reader(), instance, from, to);
        return { ...(await open('host', 'Host')), usageDelayMs, readUsage };
      },
    },
    fargate: {
      name: 'fargate',
      title: 'Fargate, two tasks',
      setup: `deployed in ${region}, behind a network load balancer; processor and memory are those of a task on average over a minute, as ECS measures them`,
      architecture: 'fargate',
      ...at,
      open: async () => {
        const [cluster = '', service = ''] = (await stage.output('Fargate', 'EcsService')).split('/');
        const readUsage = (from: Date, to: Date) => readService(reader(), { cluster, service, ...TASK }, from, to);
        return { ...(await open('fargate', 'Fargate')), usageDelayMs, readUsage };
      },
    },
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
