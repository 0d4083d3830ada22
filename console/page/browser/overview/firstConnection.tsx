import { sdkName } from '../../logic/liveEventText.ts';
import { sentence } from '../api/request.ts';
import { FirstSteps } from '../flags/firstSteps.tsx';
import { FlagSwitch } from '../flags/flagSwitch.tsx';
import { Snippets } from '../keys/snippets.tsx';
import { flags } from '../state/content.ts';
import { liveState, openConnections } from '../state/live.ts';
import { lastFlagKey } from '../state/route.ts';

/** The first steps. With a flag, it waits for the first connection, then offers a switch. */
export function FirstConnection() {
  const used = flags.value.filter(({ document }) => !document.isArchived);
  const flag = used.find(({ document }) => document.key === lastFlagKey.value) ?? used[0];
  const [newest] = openConnections.value ?? [];
  if (!flag) return <FirstSteps />;
  const isConnected = (liveState.value?.connections.total ?? 0) > 0;
  return (
    <FirstSteps flagKey={flag.document.key}>
      <Snippets />
      <div class={`stream ${isConnected ? 'open' : 'connecting'}`} role="status">
        {isConnected ? (
          <>
            <b>{newest ? sentence(sdkName(newest)) : 'An SDK'} connected. Flip it:</b>
            <code>{flag.document.key}</code>
            <FlagSwitch stored={flag} />
          </>
        ) : (
          'Listening for a connection …'
        )}
      </div>
    </FirstSteps>
  );
}
