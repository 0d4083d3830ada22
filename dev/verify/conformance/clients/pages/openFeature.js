import { FbProvider } from '@featbit/openfeature-provider-js-client';
import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';

const userOf = (keyId) => ({ keyId, name: keyId, customizedProperties: [] });

/** Shows some flags of a user, `key: value` each, by FeatBit's OpenFeature provider; a click makes it another user. */
export async function start({ clientKey, streamingUrl, eventsUrl, keyId, nextKeyId, keys }) {
  const options = { sdkKey: clientKey, streamingUri: streamingUrl, eventsUri: eventsUrl, user: userOf(keyId) };
  const flags = document.createElement('button');
  const client = OpenFeature.getClient();
  const show = () => {
    flags.textContent = keys.map((key) => `${key}: ${client.getStringValue(key, 'none')}\n`).join('');
  };
  for (const event of [ProviderEvents.ConfigurationChanged, ProviderEvents.ContextChanged])
    client.addHandler(event, show);
  flags.addEventListener('click', () => OpenFeature.setContext({ targetingKey: nextKeyId, name: nextKeyId }));
  await OpenFeature.setProviderAndWait(new FbProvider(options));
  show();
  document.getElementById('root').append(flags);
}
