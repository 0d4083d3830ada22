import type { Environments } from '../../shared/store/environments/environments.ts';
import { Conflict } from '../../shared/store/table/errors.ts';
import type { Uncounted } from '../../shared/store/usage/uncounted.ts';

/** What CloudFormation asks of a custom resource. */
export interface CustomResourceEvent {
  readonly RequestType: 'Create' | 'Update' | 'Delete';
  /** Where the response goes. */
  readonly ResponseURL: string;
  readonly StackId: string;
  readonly RequestId: string;
  readonly LogicalResourceId: string;
  readonly ResourceProperties: Readonly<Record<string, unknown>>;
}

/** What CloudFormation expects. Source: AWS's guide to CloudFormation, "Custom resource response objects". */
export interface CustomResourceResponse
  extends Pick<CustomResourceEvent, 'StackId' | 'RequestId' | 'LogicalResourceId'> {
  readonly Status: 'SUCCESS' | 'FAILED';
  readonly Reason?: string;
  readonly PhysicalResourceId: string;
}

/** What a stack declares: names of environments by id. */
type DeclaredEnvironments = Readonly<Record<string, string>>;

/**
 * Handles a custom resource of CloudFormation that declares environments. Create and update create environments that do not exist,
 * without secrets. No environment is changed or deleted: environments hold flags. Each call records the functions of the stack that
 * evaluate flags without counts.
 *
 * @param record records these functions for a resource of a stack, in the place of those before
 * @param answer sends the response to the URL of the event
 */
export function declareEnvironments(
  environments: Pick<Environments, 'create' | 'list'>,
  record: (resource: string, uncounted: Uncounted) => Promise<void>,
  answer: (url: string, response: CustomResourceResponse) => Promise<void>,
): (event: CustomResourceEvent) => Promise<void> {
  return async (event) => {
    const { StackId, RequestId, LogicalResourceId } = event;
    const response = { StackId, RequestId, LogicalResourceId, PhysicalResourceId: `${LogicalResourceId}-environments` };
    const { Environments: declared = {}, Uncounted: uncounted = {} } = event.ResourceProperties;
    const resource = `${StackId}#${LogicalResourceId}`;
    try {
      if (event.RequestType === 'Delete') {
        // The table may be gone.
        await record(resource, {}).catch(() => {});
      } else {
        await createMissing(environments, declared as DeclaredEnvironments);
        await record(resource, uncounted as Uncounted);
      }
    } catch (error) {
      await answer(event.ResponseURL, { ...response, Status: 'FAILED', Reason: (error as Error).message });
      return;
    }
    await answer(event.ResponseURL, { ...response, Status: 'SUCCESS' });
  };
}

async function createMissing(
  environments: Pick<Environments, 'create' | 'list'>,
  declared: DeclaredEnvironments,
): Promise<void> {
  const existing = new Set((await environments.list()).map(({ id }) => id));
  for (const [id, name] of Object.entries(declared)) {
    if (existing.has(id)) continue;
    try {
      await environments.create(name, id, []);
    } catch (error) {
      // Another call may have created it.
      if (error instanceof Conflict && (await environments.list()).some((other) => other.id === id)) continue;
      throw error;
    }
  }
}
