/** What a snippet is filled in with. */
export interface Place {
  readonly streamingUrl: string;
  readonly httpUrl: string;
  readonly clientKey: string;
  readonly serverKey: string;
  readonly flagKey: string;
}

interface Snippet {
  readonly title: string;
  /** What to install, as a command; empty for nothing. */
  readonly install: string;
  readonly code: string;
}

/** How each SDK is connected, ready to be pasted; the same as in the README, which says which of them have been run. */
export function snippetsFor(place: Place): Snippet[] {
  const { streamingUrl, httpUrl, clientKey, serverKey, flagKey } = place;
  const [streaming, http, client, server, flag] = [streamingUrl, httpUrl, clientKey, serverKey, flagKey].map(quoted);
  return [
    {
      title: 'Node',
      install: 'npm install @featbit/node-server-sdk',
      code: `import { FbClientBuilder, UserBuilder } from '@featbit/node-server-sdk';
const client = new FbClientBuilder().sdkKey(${server})
  .streamingUri(${streaming}).eventsUri(${http}).build();
const show = async () => console.log(await client.boolVariation(${flag}, new UserBuilder('u1').build(), false));
client.on('update:' + ${flag}, show);
await client.waitForInitialization(); await show();`,
    },
    {
      title: 'Browser',
      install: 'npm install @featbit/js-client-sdk',
      code: `import { FbClientBuilder, UserBuilder } from '@featbit/js-client-sdk';
const client = new FbClientBuilder().sdkKey(${client})
  .streamingUri(${streaming}).eventsUri(${http}).user(new UserBuilder('u1').name('u1').build()).build();
await client.waitForInitialization();
client.on('update:' + ${flag}, async () => console.log(await client.boolVariation(${flag}, false)));`,
    },
    {
      title: 'React',
      install: 'npm install @featbit/react-client-sdk',
      code: `import { asyncWithFbProvider, useFlags } from '@featbit/react-client-sdk';
import { createRoot } from 'react-dom/client';
const Show = () => <h1>{String(useFlags()[${flag}])}</h1>;
const user = { keyId: 'u1', name: 'u1', customizedProperties: [] };
const options = { sdkKey: ${client}, streamingUri: ${streaming}, eventsUri: ${http}, user };
const Provider = await asyncWithFbProvider({ options });
createRoot(document.getElementById('root')).render(<Provider><Show /></Provider>);`,
    },
    {
      title: 'Python',
      install: 'pip install fb-python-sdk',
      code: `from fbclient import get, set_config
from fbclient.config import Config
set_config(Config(${server}, event_url=${http}, streaming_url=${streaming}))
print(get().variation(${flag}, {'key': 'u1', 'name': 'u1'}, default=False))`,
    },
    {
      title: 'Go',
      install: 'go get github.com/featbit/featbit-go-sdk',
      code: `client, err := featbit.NewFBClient(${double(serverKey)}, ${double(streamingUrl)}, ${double(httpUrl)})
user, _ := interfaces.NewUserBuilder("u1").UserName("u1").Build()
value, _, _ := client.BoolVariation(${double(flagKey)}, user, false)
fmt.Println(value, err)`,
    },
    {
      title: 'Java',
      install: 'co.featbit:featbit-java-sdk:1.4.5',
      code: `FBConfig config = new FBConfig.Builder().streamingURL(${double(streamingUrl)}).eventURL(${double(httpUrl)}).build();
FBClient client = new FBClientImp(${double(serverKey)}, config);
FBUser user = new FBUser.Builder("u1").userName("u1").build();
System.out.println(client.boolVariation(${double(flagKey)}, user, false));`,
    },
    {
      title: '.NET',
      install: 'dotnet add package FeatBit.ServerSdk',
      code: `var options = new FbOptionsBuilder(${double(serverKey)})
    .Streaming(new Uri(${double(streamingUrl)})).Event(new Uri(${double(httpUrl)})).Build();
var client = new FbClient(options);
var user = FbUser.Builder("u1").Name("u1").Build();
Console.WriteLine(client.BoolVariation(${double(flagKey)}, user, defaultValue: false));`,
    },
    {
      title: 'OpenFeature',
      install: 'npm install @openfeature/server-sdk @openfeature/ofrep-provider',
      code: `import { OpenFeature } from '@openfeature/server-sdk';
import { OFREPProvider } from '@openfeature/ofrep-provider';
const headers = [['Authorization', 'Bearer ' + ${server}]];
await OpenFeature.setProviderAndWait(new OFREPProvider({ baseUrl: ${http}, headers }));
console.log(await OpenFeature.getClient().getBooleanValue(${flag}, false, { targetingKey: 'u1' }));`,
    },
    {
      title: 'curl',
      install: '',
      code: `curl -X POST ${shell(`${httpUrl}/ofrep/v1/evaluate/flags/${encodeURIComponent(flagKey)}`)} \\
  -H ${shell(`Authorization: Bearer ${serverKey}`)} -H 'content-type: application/json' \\
  -d '{"context":{"targetingKey":"u1"}}'`,
    },
  ];
}

/** A text in single quotes, as JavaScript and Python read it. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function double(text: string): string {
  return JSON.stringify(text);
}

function shell(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
