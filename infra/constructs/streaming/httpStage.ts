import { type HttpApi, HttpStage, type IApi, type ThrottleSettings } from 'aws-cdk-lib/aws-apigatewayv2';
import { Stack } from 'aws-cdk-lib/core';
import type { Construct } from 'constructs';
import type { Config } from '../../config/config.ts';
import { accessLogs, httpLogFields } from './accessLogs.ts';

/** Adds the stage of an HTTP API that serves all paths without a prefix, with access logs. @param scope has no other such stage */
export function addHttpStage(
  scope: Construct,
  id: string,
  config: Config,
  httpApi: HttpApi,
  throttle: ThrottleSettings,
): HttpStage {
  const accessLogSettings = accessLogs(scope, config, { apiId: httpApi.apiId, fields: httpLogFields });
  return new HttpStage(scope, id, { httpApi, stageName: '$default', autoDeploy: true, throttle, accessLogSettings });
}

/** The host name of an API, in the region of its stack. */
export function hostOf(api: IApi): string {
  const { region, urlSuffix } = Stack.of(api);
  return `${api.apiId}.execute-api.${region}.${urlSuffix}`;
}
