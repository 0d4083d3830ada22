import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, jest, test } from '@jest/globals';
import { buildPage } from '../../console/page/build.ts';
import { FAST_POLL_INTERVAL_MS } from '../../functions/host/feeds/feeds.ts';
import { readHostConfig } from '../../functions/host/settings/config.ts';
import { postsPerChunk } from '../../functions/push/serveRound.ts';
import { METRIC_UNITS, TROUBLE } from '../../functions/telemetry/metrics.ts';
import { readConfig } from '../../infra/config/config.ts';
import { FAST_POLL_SECONDS } from '../../infra/config/values.ts';
import type { Template } from '../../infra/inProcess.ts';
import { functionWithEntry, onlyResourceOf, resourcesOf, textOf } from '../../infra/stacks/testing/templates.ts';
import { synthesizedTemplates } from '../../infra/testing/synthesizedTemplates.ts';
import { SHARDS } from '../../shared/store/connections/connection.ts';
import { NOTE_PARTITIONS } from '../../shared/store/connections/unanswered.ts';
import { VERSION_REPLICAS } from '../../shared/store/documents/version.ts';
import { HEARTBEAT_MS } from '../../shared/tier/machineHealth.ts';
import * as facts from './serviceFacts.ts';

// Synthesis takes a second alone, and many on a busy machine.
jest.setTimeout(60_000);

const settings = { host: true, fargate: true };
const frontDoor = {
  domainName: 'flags.example.com',
  certificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b',
};
const doorConfig = readConfig({ host: true, lean: false, frontDoor });
const config = readConfig({ ...settings, lean: false });
const templates = synthesizedTemplates(config);
const {
  'Flagwire-dev-Data': data,
  'Flagwire-dev-Serverless': serverless,
  'Flagwire-dev-Host': comparison,
  'Flagwire-dev-Fargate': fargate,
  'Flagwire-dev-Cost': costs,
} = templates;
const {
  'Flagwire-dev-Data': leanData,
  'Flagwire-dev-Serverless': lean,
  'Flagwire-dev-Cost': leanCosts,
} = synthesizedTemplates(readConfig(settings));
const { 'Flagwire-dev-Host': door } = synthesizedTemplates(doorConfig);
if (!door || !data || !serverless || !comparison || !fargate || !costs || !leanData || !lean || !leanCosts)
  throw new Error('the stacks have other names');

describe('facts of the model match the service', () => {
  test('in the stacks', () => {
    const memory = Object.fromEntries(
      resourcesOf(serverless, 'AWS::Lambda::Function').flatMap(({ properties, template: { Metadata } }) => {
        const [, name] = /(\w+)\.ts$/.exec(String(Metadata?.['flagwire:entry'] ?? '')) ?? [];
        // Revoke runs only when a secret is ended, which is no part of a load.
        return name && name !== 'revoke'
          ? [[name === 'lambda' ? 'http' : name, Number(properties['MemorySize']) / 1_024]]
          : [];
      }),
    );
    expect(memory).toEqual(facts.FUNCTION_GB);
    const { Environment } = functionWithEntry(serverless, 'functions/lambda/deliver.ts').properties;
    expect(Environment).toMatchObject({ Variables: { POSTS_PER_SECOND: String(facts.POSTS_PER_SECOND_A_CALL) } });
    const scaling = resourcesOf(serverless, 'AWS::Lambda::EventSourceMapping').map(
      ({ properties }) => properties['ScalingConfig'],
    );
    expect(scaling).toContainEqual({ MaximumConcurrency: facts.DELIVERIES_AT_ONCE });
    expect(resourcesOf(serverless, 'AWS::CloudWatch::Alarm')).toHaveLength(facts.ALARMS);
    expect(resourcesOf(data, 'AWS::CloudWatch::Alarm')).toHaveLength(facts.PLAN_ALARMS + facts.EVENT_ALARMS);
    expect(resourcesOf(leanData, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(resourcesOf(lean, 'AWS::CloudWatch::Alarm')).toHaveLength(facts.LEAN_ALARMS);
    expect(metricsShown(costs)).toBeGreaterThan(facts.SMALL_DASHBOARD_METRICS);
    for (const small of [leanCosts, serverless, lean, comparison, door, fargate])
      expect(metricsShown(small)).toBeLessThanOrEqual(facts.SMALL_DASHBOARD_METRICS);
    expect(resourcesOf(serverless, 'AWS::CloudWatch::Dashboard')).toHaveLength(facts.DASHBOARDS);
    expect(resourcesOf(comparison, 'AWS::CloudWatch::Dashboard')).toHaveLength(facts.DASHBOARDS);
    expect(resourcesOf(costs, 'AWS::CloudWatch::Dashboard')).toHaveLength(facts.DASHBOARDS);
    expect(resourcesOf(comparison, 'AWS::CloudWatch::Alarm')).toEqual([]);
    expect(resourcesOf(door, 'AWS::CloudWatch::Alarm')).toHaveLength(facts.DOOR_ALARMS);
    expect(doorConfig.frontDoor?.maxConnections).toBe(facts.DOOR_CONNECTIONS);
    expect(HEARTBEAT_MS).toBe(facts.HEARTBEAT_SECONDS * 1_000);
    expect(metricsRead(fargate, 'AWS::CloudWatch::Alarm')).toBe(facts.FARGATE_ALARMS);
    expect(2 * metricsRead(fargate, 'AWS::ApplicationAutoScaling::ScalingPolicy')).toBe(facts.SCALING_ALARMS);
    expect(resourcesOf(fargate, 'AWS::CloudWatch::Dashboard')).toHaveLength(facts.DASHBOARDS);
    expect(config.fargate).toMatchObject({
      count: facts.LEAST_TASKS,
      maximum: facts.MOST_TASKS,
      vcpu: facts.TASK_VCPU,
      memoryGb: 2 * facts.TASK_VCPU,
      connections: facts.TASK_CONNECTIONS,
      pollIntervalMs: facts.POLL_INTERVAL_MS,
    });
    expect(config.host?.pollIntervalMs).toBe(facts.POLL_INTERVAL_MS);
    const { properties: machine } = onlyResourceOf(comparison, 'AWS::EC2::Instance');
    expect(machine['BlockDeviceMappings']).toMatchObject([{ Ebs: { VolumeSize: facts.HOST_DISK_GB } }]);
  });

  test('in the code', () => {
    expect(facts.FAST_POLL_INTERVAL_MS).toBe(FAST_POLL_INTERVAL_MS);
    expect(facts.FAST_POLL_SECONDS * 1_000).toBe(readHostConfig({ FLAGS_TABLE: 'Flags' }).fastPollMs);
    expect(facts.FAST_POLL_SECONDS).toBe(FAST_POLL_SECONDS);
    expect([SHARDS, VERSION_REPLICAS, NOTE_PARTITIONS]).toEqual([
      facts.SHARDS,
      facts.VERSION_REPLICAS,
      facts.NOTE_PARTITIONS,
    ]);
    expect(Object.keys(METRIC_UNITS)).toHaveLength(facts.OWN_METRICS + TROUBLE.length);
    expect(postsPerChunk(facts.POSTS_PER_SECOND_A_CALL)).toBe(facts.POSTS_A_NOTE);
    const pong = JSON.stringify({ messageType: 'pong', data: {} });
    expect(Buffer.byteLength(pong)).toBe(facts.PONG_BYTES);
  });

  test('in the agent’s configuration, beside the seven metrics of detailed monitoring', () => {
    const path = join(import.meta.dirname, '../../infra/constructs/host/files/agent.json');
    const { metrics } = JSON.parse(readFileSync(path, 'utf8'));
    const parts = Object.values<{ measurement: string[] } | { measurement: string[] }[]>(
      metrics.metrics_collected,
    ).flat();
    const measured = parts.reduce((sum, { measurement }) => sum + measurement.length, 0);
    expect(7 + measured).toBe(facts.HOST_METRICS);
  });
});

test('no file of the console’s page is larger than the model assumes', async () => {
  const { assets } = await buildPage();
  const largest = Math.max(...[...assets.values()].map(({ body }) => gzipSync(body).length));
  expect(largest).toBeLessThan(facts.CONSOLE_FILE_BYTES);
  expect(largest).toBeGreaterThan(facts.CONSOLE_FILE_BYTES / 2);
});

/** How many metrics resources of a type read: one each, or as many as their expression takes. */
function metricsRead(template: Template, type: string): number {
  return resourcesOf(template, type).reduce(
    (sum, { properties }) => sum + Math.max(1, JSON.stringify(properties).split(/"metricStat"/i).length - 1),
    0,
  );
}

/** How many metrics a stack's dashboard has, each as often as it is shown. */
function metricsShown(template: Template): number {
  const { properties } = onlyResourceOf(template, 'AWS::CloudWatch::Dashboard');
  const { widgets } = JSON.parse(textOf(properties['DashboardBody'])) as {
    widgets: { properties: { metrics?: unknown[][] } }[];
  };
  // A text has no metrics.
  const rows = widgets.flatMap(({ properties: { metrics } }) => metrics ?? []);
  return rows.filter(([namespace]) => typeof namespace === 'string').length;
}
