import { asyncWithFbProvider, useFbClient, useFlags } from '@featbit/react-client-sdk';
import { createRoot } from 'react-dom/client';

const userOf = (keyId) => ({ keyId, name: keyId, customizedProperties: [] });

/** Shows some flags of a user, `key: value` each, by FeatBit's React SDK; a click makes it another user. */
export async function start({ clientKey, streamingUrl, eventsUrl, keyId, nextKeyId, keys }) {
  const options = { sdkKey: clientKey, streamingUri: streamingUrl, eventsUri: eventsUrl, user: userOf(keyId) };
  const Flags = () => {
    const flags = useFlags();
    const client = useFbClient();
    return (
      <button type="button" onClick={() => client.identify(userOf(nextKeyId))}>
        {keys.map((key) => `${key}: ${flags[key]}\n`)}
      </button>
    );
  };
  const Provider = await asyncWithFbProvider({ options });
  createRoot(document.getElementById('root')).render(
    <Provider>
      <Flags />
    </Provider>,
  );
}
