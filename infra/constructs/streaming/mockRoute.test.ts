import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from '@jest/globals';
import { WebSocketApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { App, Stack } from 'aws-cdk-lib/core';
import { addMockRoute } from './mockRoute.ts';

const outdir = mkdtempSync(join(tmpdir(), 'flagwire-test-'));

afterAll(() => rmSync(outdir, { recursive: true }));

test.each(['{"amount":"$5"}', '{"tag":"#1"}'])(
  'a reply that API Gateway would take for a template is refused: %s',
  (reply) => {
    const api = new WebSocketApi(new Stack(new App({ outdir }), 'Stack'), 'Api');
    expect(() => addMockRoute(api, { routeKey: 'price', reply })).toThrow(
      /^The reply of the MOCK route price contains \$ or #/,
    );
  },
);
