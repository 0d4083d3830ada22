import type { Server } from 'node:http';
import type { AwsJsonService } from './endpoint/awsJson.ts';
import { serveAwsJson } from './endpoint/awsJson.ts';
import type { Log } from './log.ts';
import { oneLine } from './log.ts';

/** Lets `server` serve the endpoints of AWS services that handlers call. */
export function serveServices(server: Server, services: readonly AwsJsonService[], log: Log): void {
  server.on('request', (request, response) => {
    serveAwsJson(services, request, response).catch((error: unknown) => {
      log(`service endpoint ${request.headers['x-amz-target']}: ${oneLine(error)}`);
      response.destroy();
    });
  });
}
