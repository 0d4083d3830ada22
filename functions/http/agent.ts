import type { Context } from 'hono';
import { authenticateRelay, type KnownKeys } from '../../shared/store/authenticate.ts';
import type { LimitedLog } from '../telemetry/limitedLog.ts';
import { logRefusal } from './auth.ts';
import { readJson } from './body.ts';

/** Maximum length of an agent's id, in characters. FeatBit's ids are GUIDs or host names. */
const AGENT_ID_LENGTH = 256;

/**
 * Registers FeatBit's agent before it connects. The request has the relay key in `Authorization`, and the agent's id as
 * a JSON string in the body. The response is that id, and nothing is stored. Any other key gets 401, after which the
 * agent gives up.
 *
 * @param limited logs refusals
 */
export function registerAgentRoute(relays: KnownKeys['relays'], limited: LimitedLog) {
  return async (context: Context) => {
    const found = await authenticateRelay(relays, context.req.header('authorization') ?? '');
    if ('refused' in found) {
      logRefusal(limited, context, found.reason);
      return context.json({ message: found.reason }, 401);
    }
    const agentId = readJson(context);
    if (typeof agentId !== 'string' || agentId.trim() === '' || agentId.length > AGENT_ID_LENGTH) {
      return context.json(
        { message: `the agent's id must be a JSON string of 1 to ${AGENT_ID_LENGTH} characters` },
        400,
      );
    }
    return context.text(agentId);
  };
}
