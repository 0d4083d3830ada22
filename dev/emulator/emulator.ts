import { type AwsProfile, awsProfiles } from './awsProfiles.ts';
import { clientEnvironment, onlySet } from './clients.ts';
import { type Clock, systemClock } from './clock.ts';
import { type Closers, createClosers } from './closers.ts';
import { createCloudWatch, type ReadMetric } from './cloudwatch/service.ts';
import { openDataDirectory } from './dataDirectory.ts';
import { startDynamoDb } from './dynamodb/server.ts';
import { serveServices } from './endpoint/awsJson.ts';
import { type BusEvent, createEventBridge } from './eventbridge/service.ts';
import { readEventSources } from './eventsources/definition.ts';
import { deliverEvent, readEventRules, readSchedules, startSchedule } from './eventsources/eventRules.ts';
import { checkEventSources, startEventSources } from './eventsources/start.ts';
import type { BackOff } from './eventsources/streamPoller.ts';
import { openFirehose, readDeliveryStreams } from './firehose/service.ts';
import { serveGateway } from './gatewayServer.ts';
import { HostNames } from './hostNames.ts';
import { readHttpApis } from './http/definition.ts';
import { createHttpGateway } from './http/gateway.ts';
import { type AccessKey, Identities } from './iam/identities.ts';
import { readQueuePolicies, readRoleAt, readTrustedRole } from './iam/roles.ts';
import { readFunctions } from './lambda/definition.ts';
import { applyEnvironment, playEnvironments, sharedEnvironment } from './lambda/environment.ts';
import { createFunctionRegistry } from './lambda/registry.ts';
import { isLoopback, listen, type OwnRequests } from './listen.ts';
import { type Log, logToStderr } from './log.ts';
import { readQueues } from './queues/definition.ts';
import { createQueues } from './queues/queue.ts';
import { sqsService } from './queues/service.ts';
import { serveSts } from './sts/service.ts';
import { createTables } from './tables.ts';
import { readModel } from './template/resolve.ts';
import { checkSecurityGroups } from './template/securityGroups.ts';
import { type Templates, withoutMachines } from './template/template.ts';
import { createAccountThrottle } from './throttling/routeThrottle.ts';
import { readWebSocketApis } from './websocket/definition.ts';
import type { Traffic } from './websocket/events.ts';
import { createWebSocketGateway } from './websocket/gateway.ts';
import { awsLimits as limits } from './websocket/limits.ts';

/** Options of the emulator. */
export interface LocalOptions {
  /** The synthesized templates of the app, by stack name: the only description of what is to run. */
  readonly templates: Templates;
  /** The emulated account, whose limits apply. The default is an account with AWS's default quotas. */
  readonly aws?: AwsProfile;
  /** Folder that keeps tables and insight events between starts. Without it nothing is kept. */
  readonly dataDir?: string;
  /** Port of the gateway: WebSocket API, `@connections` and HTTP API. 0 (the default) for any free one. */
  readonly port?: number;
  /** Address of the gateway; loopback by default. Tables and queues always listen on loopback. */
  readonly host?: string;
  /**
   * Names by which the gateway may be asked, besides 127.0.0.1, localhost, [::1] and `host`; where others reach it, also besides
   * any address.
   */
  readonly hostNames?: readonly string[];
  /** Maximum loaded instances of each function; 3 by default. Further calls share them. */
  readonly maxInstances?: number;
  /** Clock of the emulator. The default is the clock of this machine. */
  readonly clock?: Clock;
  /** Gets errors of functions and of the emulator, one line each. The default is standard error. */
  readonly log?: Log;
  /** Told of what passes through the WebSocket API. */
  readonly traffic?: Traffic | undefined;
  /** Reads what CloudWatch has measured. Functions do not record metrics here. */
  readonly readMetric?: ReadMetric | undefined;
  /** Receives each event of a sender or an alarm. */
  readonly onEvent?: (event: BusEvent) => void;
  /** Requests that the gateway's port serves in addition to AWS. */
  readonly beside?: OwnRequests;
  /** Pause before failed batches are tried again. Without it: doubling for streams, the visibility timeout for queues. */
  readonly backOff?: BackOff;
}

/** The app, running on this machine. */
export type LocalStack = Readonly<Awaited<ReturnType<typeof start>>>;

/** Grace period of clients and requests on closing. */
const graceMs = 2_000;

/**
 * Runs the app of `templates` in this process: DynamoDB, SQS, EventBridge, CloudWatch alarms, Firehose, API Gateway and its functions. Sets
 * `process.env` to what the functions need until it is closed, so one process runs one stack at a time.
 *
 * @throws Error naming the port when it is taken, or the resource, variable or file that the emulator cannot run.
 */
export async function startLocal(options: LocalOptions): Promise<LocalStack> {
  const closers = createClosers(options.log ?? logToStderr);
  try {
    return await start(options, closers);
  } catch (error) {
    await closers.closeAll();
    throw error;
  }
}

async function start(options: LocalOptions, closers: Closers) {
  const { templates, aws = awsProfiles.default, port = 0, clock = systemClock, log = logToStderr, traffic } = options;
  checkSecurityGroups(templates);
  const directory = await openDataDirectory(options.dataDir, closers);

  const gateway = await listen(port, options.host);
  closers.add(() => gateway.stop(graceMs));
  const services = await listen(0);
  closers.add(() => services.stop(graceMs));
  const serviceUrl = `http://127.0.0.1:${services.port}`;
  const httpUrl = `http://${gateway.authority}`;

  // Region and account go into the ARNs of tables, so they come first; DynamoDB's own address is not known yet.
  const identities = new Identities(undefined, log, clock);
  const accessKey = identities.administrator;
  const sts = await listen(0);
  closers.add(() => sts.stop(graceMs));
  const urls = { services: serviceUrl, sts: `http://127.0.0.1:${sts.port}` };
  closers.add(applyEnvironment(clientEnvironment({ dynamoDb: '', ...urls, accessKey })));
  const { dynamoDb: path, dynamoDbPort: portFile } = directory;
  const dynamoDb = await startDynamoDb({ path, portFile, identities, log, clock, ...aws });
  closers.add(() => dynamoDb.close());

  const streams = new Map<string, string>();
  const ownUrls = new Map<string, string>();
  const model = readModel(withoutMachines(templates), {
    gatewayUrl: httpUrl,
    ownUrls,
    serviceUrl,
    streamArn: (name) => streams.get(name),
  });
  const httpApis = readHttpApis(model);
  const furtherApis = [];
  for (const api of httpApis.further) {
    const listening = await listen(0);
    closers.add(() => listening.stop(graceMs));
    ownUrls.set(api.apiId, `http://${listening.authority}`);
    furtherApis.push({ api, listening });
  }
  for (const [name, arn] of await createTables(model, dynamoDb)) streams.set(name, arn);

  const definitions = readFunctions(model);
  const forHandlers = sharedEnvironment(definitions);
  const forClients = clientEnvironment({ dynamoDb: dynamoDb.endpoint, ...urls, accessKey });
  closers.add(applyEnvironment({ ...forHandlers, ...forClients }));
  closers.add(playEnvironments(definitions.flatMap(({ environment }) => Object.keys(environment))));
  identities.resourcePolicies = readQueuePolicies(model);
  const { maxInstances, beside } = options;
  const functions = createFunctionRegistry(definitions, {
    clock,
    log,
    identities,
    ...aws,
    ...(maxInstances !== undefined && { maxInstances }),
  });
  await functions.load();

  const queues = createQueues(readQueues(model), clock);
  closers.add(() => queues.close());
  const firehose = openFirehose(readDeliveryStreams(model), directory.insight, { log });
  closers.add(() => firehose.close());
  closers.add(() => services.stop(graceMs));
  const eventBridge = createEventBridge({ clock, log, onEvent: options.onEvent });
  const rules = readEventRules(model);
  const onChange = (event: BusEvent['event']) => {
    options.onEvent?.({ bus: 'default', event });
    deliverEvent({ bus: 'default', event }, rules, functions);
  };
  const cloudWatch = createCloudWatch({ clock, onChange, readMetric: options.readMetric });
  const jsonServices = [sqsService(queues), firehose.service, eventBridge.service, ...cloudWatch];
  services.open((server) => serveServices(server, jsonServices, identities, log));
  closers.add(() => functions.idle());

  const sources = { functions, queues, stream: dynamoDb.feed, clock, log, backOff: options.backOff };
  const mappings = readEventSources(model);
  checkEventSources(mappings, definitions, identities);
  const pollers = await startEventSources(mappings, sources);
  pollers.push(...readSchedules(model).map((rule) => startSchedule(rule, { functions, clock })));
  closers.add(async () => {
    await Promise.all(pollers.map((poller) => poller.stop()));
  });

  const routeServices = { functions, clock, limits, log, aws, traffic, throttle: createAccountThrottle(aws, clock) };
  const webSockets = readWebSocketApis(model).map((api) => createWebSocketGateway(api, routeServices));
  closers.add(() => gateway.stop(graceMs));
  for (const webSocket of webSockets) closers.add(() => webSocket.close(graceMs));
  const hostNames = new HostNames([gateway.host, ...(options.hostNames ?? [])], !isLoopback(gateway.host));
  const onGateway = { ...routeServices, webSockets, hostNames, identities };
  const gateways = httpApis.shared.map((api) => createHttpGateway(api, routeServices));
  gateway.open((server) => serveGateway(server, { ...onGateway, beside, httpApis: gateways }));
  for (const { api, listening } of furtherApis) {
    const own = { ...onGateway, webSockets: [], httpApis: [createHttpGateway(api, routeServices)] };
    listening.open((server) => serveGateway(server, own));
  }

  const roles = new Map(definitions.map(({ role }) => [role.name, role]));
  sts.open((server) =>
    serveSts(server, {
      identities,
      clock,
      log,
      findRole: (arn) => readTrustedRole(model, arn),
      onAssumed: (role) => roles.set(role.name, role),
    }),
  );
  return {
    /** The emulated account. */
    aws,
    /** `ws://host:port`: an SDK's streaming URL (it appends the stage, `/streaming`, itself). */
    streamingUrl: `ws://${gateway.authority}`,
    /** `http://host:port`: an SDK's polling and events URL. */
    httpUrl,
    /** `http://host:port` of each further HTTP API with the route `$default`, in the order of the templates. */
    furtherHttpUrls: [...ownUrls.values()],
    dynamoDbEndpoint: dynamoDb.endpoint,
    /** Physical names of the tables. */
    tables: { flags: forHandlers['FLAGS_TABLE'] ?? '', connections: forHandlers['CONNECTIONS_TABLE'] ?? '' },
    /** The environment variables under which AWS SDK clients in another process reach this stack, with its access key. */
    environment: onlySet({ ...forHandlers, ...forClients }),
    /**
     * A new access key for a role, as a machine or a task has one. Managed policies of AWS allow it nothing.
     *
     * @param rolePath the role's `<stack>/<logicalId>`
     * @throws Error when the templates have no such role
     */
    assumeRole(rolePath: string): AccessKey {
      const role = readRoleAt(model, rolePath);
      roles.set(role.name, role);
      return identities.assume(role, 'emulator').accessKey;
    },
    /** Permissions of the roles of functions and of assumed roles that no call has used: `<role>: <action> on <resource>`. */
    unusedGrants: () =>
      [...roles.values()].flatMap((role) => identities.unusedGrants(role).map((grant) => `${role.name}: ${grant}`)),
    /** The newest events of the event bus, oldest first. */
    events: eventBridge.events,
    /** The file each delivery stream is written to lies here: `<stream>.ndjson`. */
    insightDirectory: directory.insight,
    /** Closes sockets with 1001, lets what is being handled end, stops everything, and restores `process.env`. */
    close: () => closers.closeAll(),
  };
}
