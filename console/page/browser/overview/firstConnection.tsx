import { useState } from 'preact/hooks';
import type { VersionedFlag } from '../../../api.ts';
import { sdkName } from '../../logic/liveEventText.ts';
import { sentence } from '../api/request.ts';
import { FIRST_READ_MS, useReceipt } from '../documents/changeNews.tsx';
import { FirstSteps } from '../flags/firstSteps.tsx';
import { FlagSwitch } from '../flags/flagSwitch.tsx';
import { CurrentValue, Snippets } from '../keys/snippets.tsx';
import { offeredFlag } from '../state/content.ts';
import { liveEntries, liveState, openConnections } from '../state/live.ts';
import { useEnvironment } from '../state/session.ts';

/** The first steps. With a flag, it waits for the first connection, then offers a switch, and shows what the SDK received. */
export function FirstConnection() {
  const [wanted, setWanted] = useState<string>();
  const flag = offeredFlag(wanted);
  if (!flag) return <FirstSteps />;
  const { key } = flag.document;
  const isConnected = (liveState.value?.connections.total ?? 0) > 0;
  return (
    <FirstSteps flagKey={key} isConnected={isConnected}>
      <Snippets wanted={wanted} onFlag={setWanted} />
      {isConnected ? (
        <FirstFlip key={key} flag={flag} />
      ) : (
        <p class="stream connecting" role="status">
          Listening for a connection …
        </p>
      )}
    </FirstSteps>
  );
}

function FirstFlip({ flag }: { readonly flag: VersionedFlag }) {
  const { id: env } = useEnvironment();
  const { version, document } = flag;
  const [before] = useState(version);
  const isFlipped = version !== before;
  const receipt = useReceipt(env, isFlipped ? version : undefined, FIRST_READ_MS);
  // With npm start, the push is seen at once. A busy machine completes the receipt later.
  const isPushed = isFlipped && liveEntries.value.some((each) => each.type === 'push' && each.version === version);
  const [newest] = openConnections.value ?? [];
  return (
    <>
      <div class="stream open" role="status">
        <b>{newest?.sdk ? sentence(sdkName(newest)) : 'Your SDK'} connected. Flip it:</b>
        <code>{document.key}</code>
        <FlagSwitch stored={flag} />
      </div>
      <p class="current-value" role="status">
        {(isPushed || receipt?.isComplete) && (
          <>
            The SDK received <CurrentValue flag={document} />
            {receipt?.isComplete && ` · ${receipt.live}`}
          </>
        )}
      </p>
    </>
  );
}
