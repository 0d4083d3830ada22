import { readRole } from '../iam/roles.ts';
import type { Model, Resource } from '../template/resolve.ts';
import { readPermissions } from './permissions.ts';

/** The metadata key under which a function's template entry names its source file, relative to the repository. */
export const entryMetadata = 'flagwire:entry';

/** A Lambda function as the template describes it. */
export type FunctionDefinition = Readonly<ReturnType<typeof readFunctions>[number]>;

/**
 * The functions of the templates that name their source. Others (CDK's own helpers) have no part in a local run.
 */
export function readFunctions(model: Model) {
  return model
    .resources('AWS::Lambda::Function')
    .filter((resource) => resource.metadata[entryMetadata] !== undefined)
    .map((resource) => {
      const reserved = resource.property('ReservedConcurrentExecutions');
      return {
        name: resource.value(),
        arn: resource.value('Arn'),
        /** Source file of the handler, relative to the repository. */
        entry: String(resource.metadata[entryMetadata]),
        /** The export that is called, e.g. `handler`. */
        exportName:
          String(resource.property('Handler') ?? 'index.handler')
            .split('.')
            .at(-1) ?? 'handler',
        timeoutMs: Number(resource.property('Timeout') ?? 3) * 1000,
        memoryMb: Number(resource.property('MemorySize') ?? 128),
        environment: readEnvironment(resource),
        role: readRole(model, resource),
        /** Which services may call it, and for what. */
        permissions: readPermissions(model, resource.value()),
        /** Concurrent executions that are kept for it, and the most it may have; 0 switches it off. */
        ...(reserved !== undefined && { reservedConcurrency: Number(reserved) }),
      };
    });
}

function readEnvironment(resource: Resource): Record<string, string> {
  const { Variables = {} } = (resource.property('Environment') ?? {}) as { Variables?: Record<string, unknown> };
  return Object.fromEntries(Object.entries(Variables).map(([name, value]) => [name, String(value)]));
}
