import { type CorsHttpMethod, HttpApi, type HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import { Duration } from 'aws-cdk-lib/core';
import { Construct } from 'constructs';
import { corsPolicy } from '../../../shared/protocol/cors.ts';
import type { Config } from '../../config/config.ts';
import { deploymentName } from '../../config/deploymentName.ts';
import { acknowledge } from '../acknowledge.ts';
import { ENVIRONMENT_ITEMS, READING } from '../onItems.ts';
import { ServiceFunction } from '../serviceFunction.ts';
import { addHttpStage, hostOf } from '../streaming/httpStage.ts';
import { HTTP_SHARE, throttleShare } from '../streaming/routeShares.ts';
import type { InsightStream } from './insightStream.ts';

/** The tables of the HTTP routes, and the destination of SDK events. */
interface FlagsHttpApiProps {
  readonly config: Config;
  readonly flags: ITableV2;
  readonly insight: InsightStream;
  /** The table for counts of evaluations. */
  readonly usage: ITableV2 | undefined;
}

/**
 * The HTTP API. All paths lead to one function, which has the router (functions/http/app.ts). API Gateway answers browsers' preflights
 * itself, with the policy that all endpoints share.
 */
export class FlagsHttpApi extends Construct {
  /** Polling URL and events URL for SDKs: `https://…`, without a slash at the end. */
  readonly uri: string;
  readonly apiId: string;
  readonly stage: HttpStage;
  readonly function: ServiceFunction;

  constructor(scope: Construct, id: string, { config, flags, insight, usage }: FlagsHttpApiProps) {
    super(scope, id);
    const http = new ServiceFunction(this, 'Http', {
      config,
      entry: 'functions/lambda/http.ts',
      environment: {
        FLAGS_TABLE: flags.tableName,
        INSIGHT_STREAM: insight.streamName,
        ...(usage && { USAGE_TABLE: usage.tableName }),
        MISSING_ATTRIBUTE: config.missingAttribute,
      },
      timeoutSeconds: 20,
      memoryMb: 512,
    });
    http.allowItems(READING, flags, ...ENVIRONMENT_ITEMS, 'RELAYS', 'SECRET#*');
    insight.allowPut(http);
    if (usage) http.allowItems(['dynamodb:UpdateItem'], usage, 'USAGE#*');
    this.function = http;

    const api = new HttpApi(this, 'Api', {
      apiName: `${deploymentName(config)}-http`,
      createDefaultStage: false,
      defaultIntegration: new HttpLambdaIntegration('Integration', http.handler),
      corsPreflight: {
        allowOrigins: corsPolicy.allowOrigins,
        allowMethods: corsPolicy.allowMethods as CorsHttpMethod[],
        allowHeaders: corsPolicy.allowHeaders,
        exposeHeaders: corsPolicy.exposeHeaders,
        maxAge: Duration.seconds(corsPolicy.maxAgeSeconds),
      },
    });
    acknowledge(api, 'AwsSolutions-APIG4', "The function checks secrets itself, as their rules are FeatBit's.");
    this.stage = addHttpStage(this, 'Stage', config, api, throttleShare(config, HTTP_SHARE));
    this.apiId = api.apiId;
    this.uri = `https://${hostOf(api)}`;
  }
}
