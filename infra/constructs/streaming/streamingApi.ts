import { type CfnStage, WebSocketApi, WebSocketStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { Stack } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { PONG } from '../../../shared/protocol/message.ts';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { secretText } from '../../config/frontDoor.ts';
import { postRates } from '../../config/postRates.ts';
import { acknowledge, acknowledgePattern } from '../acknowledge.ts';
import { ENVIRONMENT_ITEMS, READING } from '../onItems.ts';
import { type ServedTables, ServiceFunction } from '../serviceFunction.ts';
import { AccessLogRole, accessLogs, streamingLogFields } from './accessLogs.ts';
import { logExecution } from './executionLogs.ts';
import { hostOf } from './httpStage.ts';
import { addMockRoute } from './mockRoute.ts';
import { ROUTE_SHARES, throttleShare } from './routeShares.ts';

/** SDKs append `/streaming` to their streaming URL, so the stage must have this name. */
export const stageName = 'streaming';

/**
 * The WebSocket API: `$connect` with the authorizer, `data-sync`, `ping`, all other messages, `$disconnect`.
 *
 * A route answers only if it has a route response, and a template or a function with a reply. `data-sync` has none: its function posts the
 * reply, because pushes wait until the reply is accepted. API Gateway matches routes exactly, so a `PING` comes to `$default`, which
 * answers every type that FeatBit knows in any letter case. Unknown types get no reply, as in FeatBit, because some SDKs fail on an unknown
 * frame.
 */
export class StreamingApi extends Construct {
  /** Streaming URL for SDKs: `wss://…`, without the stage, which SDKs append. */
  readonly uri: string;
  /** The https endpoint of `@connections`, with the stage. */
  readonly connectionsEndpoint: string;
  readonly apiId: string;
  readonly stage: WebSocketStage;
  readonly functions: Readonly<Record<'connect' | 'sync' | 'defaultRoute' | 'disconnect', ServiceFunction>>;
  readonly #api: WebSocketApi;

  constructor(scope: Construct, id: string, { config, flags, connections }: ServedTables) {
    super(scope, id);
    this.#api = new WebSocketApi(this, 'Api', {
      apiName: `${deploymentName(config)}-streaming`,
      routeSelectionExpression: '$request.body.messageType',
    });
    acknowledge(
      this.#api,
      'AwsSolutions-APIG4',
      'Only $connect of a WebSocket API can have an authorizer, and has one; messages come over the connection it let in.',
    );
    this.apiId = this.#api.apiId;
    this.stage = this.#addStage(config);
    this.uri = `wss://${hostOf(this.#api)}`;
    this.connectionsEndpoint = this.stage.callbackUrl;

    const connect = new ServiceFunction(this, 'Connect', {
      config,
      entry: 'functions/lambda/connect.ts',
      environment: {
        FLAGS_TABLE: flags.tableName,
        CONNECTIONS_TABLE: connections.tableName,
        ...doorSecrets(config),
      },
      timeoutSeconds: 10,
      memoryMb: 512,
      concurrency: config.connectConcurrency,
    });
    connect.allowItems(['dynamodb:GetItem'], flags, 'RELAYS', 'SECRET#*');
    connect.allowItems(['dynamodb:PutItem'], connections, 'UNANSWERED#*');
    addMockRoute(this.#api, {
      routeKey: '$connect',
      authorizer: new WebSocketLambdaAuthorizer('Authorizer', connect.target, {
        identitySource: ['route.request.querystring.token'],
      }),
    });

    // API Gateway waits 29 seconds for a function.
    const answering = {
      config,
      environment: {
        FLAGS_TABLE: flags.tableName,
        CONNECTIONS_TABLE: connections.tableName,
        CONNECTIONS_ENDPOINT: this.connectionsEndpoint,
        MISSING_ATTRIBUTE: config.missingAttribute,
        POSTS_PER_SECOND: String(postRates(config).sync),
      },
      timeoutSeconds: 28,
    };
    const allowAnswering = (sender: ServiceFunction) => {
      sender.allowItems(READING, flags, ...ENVIRONMENT_ITEMS, 'RELAYS');
      sender.allowItems(['dynamodb:GetItem', 'dynamodb:UpdateItem'], connections, 'CONN#*');
      sender.allowItems(['dynamodb:PutItem'], connections, 'UNANSWERED#*');
      sender.allowItems(['dynamodb:DeleteItem'], connections, 'CONN#*', 'UNANSWERED#*');
      this.allowPosting(sender);
    };
    const sync = new ServiceFunction(this, 'Sync', {
      ...answering,
      entry: 'functions/lambda/sync.ts',
      memoryMb: 512,
      concurrency: config.syncConcurrency,
    });
    allowAnswering(sync);
    this.#addLambdaRoute('data-sync', sync, { replies: false });

    addMockRoute(this.#api, { routeKey: 'ping', ...(config.pongs && { reply: PONG }) });

    const fallback = new ServiceFunction(this, 'DefaultRoute', {
      ...answering,
      entry: 'functions/lambda/default.ts',
      memoryMb: 256,
    });
    allowAnswering(fallback);
    this.#addLambdaRoute('$default', fallback, { replies: true });

    const disconnect = new ServiceFunction(this, 'Disconnect', {
      config,
      entry: 'functions/lambda/disconnect.ts',
      environment: { CONNECTIONS_TABLE: connections.tableName },
      timeoutSeconds: 10,
      memoryMb: 256,
    });
    disconnect.allowItems(['dynamodb:DeleteItem'], connections, 'CONN#*', 'UNANSWERED#*');
    this.#addLambdaRoute('$disconnect', disconnect, { replies: false });
    this.functions = { connect, sync, defaultRoute: fallback, disconnect };
  }

  /** Allows a function to send messages to the connections of this stage (`POST @connections`), but not to read or close them. */
  allowPosting(sender: ServiceFunction): void {
    this.#allow(sender, 'POST', 'for sending to them alone.');
  }

  /** Allows a function to close the connections of this stage (`DELETE @connections`), but not to read or send to them. */
  allowEnding(ender: ServiceFunction): void {
    this.#allow(ender, 'DELETE', 'for ending them alone.');
  }

  #allow(caller: ServiceFunction, method: string, purpose: string): void {
    const connections = Stack.of(this).formatArn({
      service: 'execute-api',
      resource: this.#api.apiId,
      resourceName: `${stageName}/${method}/@connections/*`,
    });
    caller.allow(['execute-api:ManageConnections'], [connections]);
    acknowledgePattern(caller, connections, `Connections come and go; the pattern is all of this stage, ${purpose}`);
  }

  #addStage(config: Config): WebSocketStage {
    const { streamingAccessLogs: logs } = config;
    const { apiId } = this.#api;
    const stage = new WebSocketStage(this, 'Stage', {
      webSocketApi: this.#api,
      stageName,
      autoDeploy: true,
      throttle: { rateLimit: config.throttlingRate, burstLimit: config.throttlingBurst },
      ...(logs !== 'off' && { accessLogSettings: accessLogs(this, config, { apiId, fields: streamingLogFields }) }),
    });
    const shares = Object.entries(ROUTE_SHARES).map(([routeKey, share]) => {
      const { rateLimit, burstLimit } = throttleShare(config, share);
      return [routeKey, { ThrottlingRateLimit: rateLimit, ThrottlingBurstLimit: burstLimit }];
    });
    // CDK has no property for them. CloudFormation needs its own notation.
    (stage.node.defaultChild as CfnStage).routeSettings = Object.fromEntries(shares);
    if (config.streamingExecutionLogs) logExecution(this, config, stage);
    // Created last, so that the stage's first deployment has every route and response.
    stage.node.addDependency(this.#api);
    if (logs === 'create-role') stage.node.addDependency(new AccessLogRole(this, 'AccessLogRole'));
    if (logs === 'off') {
      acknowledge(stage, 'AwsSolutions-APIG1', 'Switched off: it takes a setting that all APIs of the account share.');
    }
    return stage;
  }

  #addLambdaRoute(routeKey: string, { target }: ServiceFunction, { replies }: { replies: boolean }): void {
    const integration = new WebSocketLambdaIntegration('Integration', target);
    this.#api.addRoute(routeKey, { integration, returnResponse: replies });
  }
}

/** The secrets of the front door that `connect` requires. Without `frontDoor.only`, it requires none. */
function doorSecrets({ frontDoor }: Config): Record<string, string> {
  if (!frontDoor?.only) return {};
  const [first, second] = frontDoor.secrets ?? [];
  // An empty text matches no handshake.
  return {
    DOOR_SECRET_1: first === undefined ? '' : secretText(first),
    ...(second === undefined ? {} : { DOOR_SECRET_2: secretText(second) }),
  };
}
