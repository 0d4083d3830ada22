import type { VariationType } from '../../../shared/flags/flag.ts';

interface SnippetValues {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly serverKey: string;
  readonly flagKey: string;
  /** Type of the flag. SDKs have a call for each type. */
  readonly flagType: VariationType;
}

/** SDKs by the name of their tab, with their transport. The README lists the tested ones. */
const SNIPPETS = {
  Node: {
    install: 'npm install @featbit/node-server-sdk',
    write: ({ serverKey, streamingUrl, httpUrl, flagKey, flagType }) =>
      `import { FbClientBuilder, UserBuilder } from '@featbit/node-server-sdk';
const client = new FbClientBuilder().sdkKey(${quoted(serverKey)})
  .streamingUri(${quoted(streamingUrl)}).eventsUri(${quoted(httpUrl)}).build();
await client.waitForInitialization();
const user = new UserBuilder('u1').name('u1').build();
const show = async () => console.log(await client.${featBitCall(flagType)}(${quoted(flagKey)}, user, ${FALLBACKS[flagType]}));
client.on(${quoted(`update:${flagKey}`)}, show);
await show();`,
  },
  Browser: {
    install: 'npm install @featbit/js-client-sdk',
    write: ({ clientKey, streamingUrl, httpUrl, flagKey, flagType }) =>
      `import { FbClientBuilder, UserBuilder } from '@featbit/js-client-sdk';
const client = new FbClientBuilder().sdkKey(${quoted(clientKey)})
  .streamingUri(${quoted(streamingUrl)}).eventsUri(${quoted(httpUrl)})
  .user(new UserBuilder('u1').name('u1').build()).build();
await client.waitForInitialization();
const show = () => console.log(client.${featBitCall(flagType)}(${quoted(flagKey)}, ${FALLBACKS[flagType]}));
client.on(${quoted(`update:${flagKey}`)}, show);
show();`,
  },
  React: {
    install: 'npm install @featbit/react-client-sdk',
    write: ({ clientKey, streamingUrl, httpUrl, flagKey, flagType }) =>
      `import { asyncWithFbProvider, useFlags } from '@featbit/react-client-sdk';
import { createRoot } from 'react-dom/client';
const Show = () => <h1>{${flagType === 'json' ? 'JSON.stringify' : 'String'}(useFlags()[${quoted(flagKey)}])}</h1>;
const user = { keyId: 'u1', name: 'u1', customizedProperties: [] };
const options = { sdkKey: ${quoted(clientKey)}, streamingUri: ${quoted(streamingUrl)}, eventsUri: ${quoted(httpUrl)}, user };
const Provider = await asyncWithFbProvider({ options });
createRoot(document.getElementById('root')).render(<Provider><Show /></Provider>);`,
  },
  Python: {
    install: 'pip install fb-python-sdk',
    write: ({ serverKey, streamingUrl, httpUrl, flagKey, flagType }) =>
      `from fbclient import get, set_config
from fbclient.config import Config
from threading import Event
set_config(Config(${quoted(serverKey)}, event_url=${quoted(httpUrl)}, streaming_url=${quoted(streamingUrl)}))
client, user = get(), {'key': 'u1', 'name': 'u1'}
print(client.variation(${quoted(flagKey)}, user, default=${flagType === 'boolean' ? 'False' : FALLBACKS[flagType]}))
client.flag_tracker.add_flag_value_changed_listener(${quoted(flagKey)}, user, lambda *change: print(change[-1]))
Event().wait()`,
  },
  Go: {
    install: 'go get github.com/featbit/featbit-go-sdk',
    write: ({ serverKey, streamingUrl, httpUrl, flagKey, flagType }) => {
      const [call, fallback] = TYPED[flagType].go;
      // It has no change event, so the snippet evaluates in memory once a second.
      return `client, _ := featbit.NewFBClient(${double(serverKey)}, ${double(streamingUrl)}, ${double(httpUrl)})
user, _ := interfaces.NewUserBuilder("u1").UserName("u1").Build()
for last := ""; ; time.Sleep(time.Second) {
	value, _, _ := client.${call}(${double(flagKey)}, user, ${fallback})
	if shown := fmt.Sprint(value); shown != last {
		fmt.Println(shown)
		last = shown
	}
}`;
    },
  },
  Java: {
    install: 'co.featbit:featbit-java-sdk:1.4.5',
    write: ({ serverKey, streamingUrl, httpUrl, flagKey, flagType }) => {
      const [call, fallback] = TYPED[flagType].java;
      return `FBConfig config = new FBConfig.Builder().streamingURL(${double(streamingUrl)}).eventURL(${double(httpUrl)}).build();
FBClient client = new FBClientImp(${double(serverKey)}, config);
FBUser user = new FBUser.Builder("u1").userName("u1").build();
System.out.println(client.${call}(${double(flagKey)}, user, ${fallback}));
client.getFlagTracker().addFlagValueChangeListener(${double(flagKey)}, user, event -> System.out.println(event.getNewValue()));`;
    },
  },
  '.NET': {
    install: 'dotnet add package FeatBit.ServerSdk',
    write: ({ serverKey, streamingUrl, httpUrl, flagKey, flagType }) => {
      const [call, fallback] = TYPED[flagType].net;
      // As in Go.
      return `var options = new FbOptionsBuilder(${double(serverKey)})
    .Streaming(new Uri(${double(streamingUrl)})).Event(new Uri(${double(httpUrl)})).Build();
var client = new FbClient(options);
var user = FbUser.Builder("u1").Name("u1").Build();
for (object? last = null; ; Thread.Sleep(1000))
{
    var value = client.${call}(${double(flagKey)}, user, defaultValue: ${fallback});
    if (!value.Equals(last)) Console.WriteLine(last = value);
}`;
    },
  },
  'OpenFeature server': {
    install: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider',
    write: ({ serverKey, httpUrl, flagKey, flagType }) =>
      `import { OpenFeature } from '@openfeature/server-sdk';
import { OFREPProvider } from '@openfeature/ofrep-provider';
const headers = [['Authorization', ${quoted(`Bearer ${serverKey}`)}]];
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: ${quoted(httpUrl)}, headers }));
const client = OpenFeature.getClient();
let last;
const show = async () => {
  const value = await client.${OPENFEATURE_CALLS[flagType]}(${quoted(flagKey)}, ${FALLBACKS[flagType]}, { targetingKey: 'u1', name: 'u1' });
  if (JSON.stringify(value) !== last) console.log(value);
  last = JSON.stringify(value);
};
await show();
setInterval(show, 5_000);`,
  },
  'OpenFeature web': {
    install: 'npm install @openfeature/web-sdk @openfeature/ofrep-web-provider',
    write: ({ clientKey, httpUrl, flagKey, flagType }) =>
      `import { OpenFeature, ProviderEvents } from '@openfeature/web-sdk';
import { OFREPWebProvider } from '@openfeature/ofrep-web-provider';
await OpenFeature.setContext({ targetingKey: 'u1', name: 'u1' });
const headers = [['X-API-Key', ${quoted(clientKey)}]];
const options = { baseUrl: ${quoted(httpUrl)}, headers, pollInterval: 30_000 };
await OpenFeature.setProviderAndWait(new OFREPWebProvider(options));
const client = OpenFeature.getClient();
const show = () => console.log(client.${OPENFEATURE_CALLS[flagType]}(${quoted(flagKey)}, ${FALLBACKS[flagType]}));
client.addHandler(ProviderEvents.ConfigurationChanged, show);
show();`,
  },
  curl: {
    install: '',
    write: ({ serverKey, httpUrl, flagKey }) =>
      `curl -X POST ${shell(`${httpUrl}/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`)} \\
  -H ${shell(`Authorization: Bearer ${serverKey}`)} -H 'content-type: application/json' \\
  -d '{"context":{"targetingKey":"u1","name":"u1"}}'`,
  },
} as const satisfies Record<string, { readonly install: string; readonly write: (values: SnippetValues) => string }>;

export type SnippetName = keyof typeof SNIPPETS;
export const SNIPPET_NAMES = Object.keys(SNIPPETS) as readonly SnippetName[];

/** Defaults in JavaScript. */
const FALLBACKS = { boolean: 'false', string: "''", number: '0', json: '{}' } as const;
const OPENFEATURE_CALLS = {
  boolean: 'getBooleanValue',
  string: 'getStringValue',
  number: 'getNumberValue',
  json: 'getObjectValue',
} as const;

/** Calls of other SDKs, with the default. .NET has no call for JSON: the value is the text. */
const TYPED = {
  boolean: { go: ['BoolVariation', 'false'], java: ['boolVariation', 'false'], net: ['BoolVariation', 'false'] },
  string: { go: ['Variation', '""'], java: ['variation', '""'], net: ['StringVariation', '""'] },
  number: { go: ['DoubleVariation', '0.0'], java: ['doubleVariation', '0.0'], net: ['DoubleVariation', '0'] },
  json: {
    go: ['JsonVariation', 'map[string]interface{}{}'],
    java: ['jsonVariation', 'Object.class, Map.of()'],
    net: ['StringVariation', '"{}"'],
  },
} as const satisfies Record<VariationType, object>;

/** The call of FeatBit's JavaScript SDKs. */
function featBitCall(type: VariationType): string {
  return `${type === 'boolean' ? 'bool' : type}Variation`;
}

/**
 * A snippet that connects an SDK, evaluates a flag for the user `u1`, and prints the value, then each change. curl
 * requests once. The command that installs it can be empty.
 */
export function snippetFor(name: SnippetName, values: SnippetValues) {
  const { install, write } = SNIPPETS[name];
  return { install, code: write(values) };
}

/** A string literal in single quotes, for JavaScript and Python. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function double(text: string): string {
  return JSON.stringify(text);
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
