import type { LambdaContext } from '../../lambda/context.ts';

/** Does as the event says: shows its context, throws, hangs, answers much or nothing. */
export async function handler(event: { do: string; bytes?: number }, context: LambdaContext): Promise<unknown> {
  switch (event.do) {
    case 'throw':
      throw new TypeError('it broke\nbadly');
    case 'hang':
      return new Promise(() => {});
    case 'flood':
      return 'x'.repeat(event.bytes ?? 0);
    case 'nothing':
      return undefined;
    default:
      return {
        event,
        functionName: context.functionName,
        memory: context.memoryLimitInMB,
        remaining: context.getRemainingTimeInMillis(),
        arn: context.invokedFunctionArn,
      };
  }
}
