import { clientEnvironment, onlySet } from '../../emulator/clients.ts';
import { newAccessKey } from '../../emulator/endpoint/signature.ts';
import { ofRepository, RunningProcess } from '../../support/runningProcess.ts';

const LISTENING = '"listening"';

/** The embedded DynamoDB as a process of its own, so that it outlives its users, and is not delayed by them. */
export class TableProcess extends RunningProcess {
  /** Starts it, and waits until its tables are there. From then on AWS clients of this process lead to it. */
  static async start(): Promise<TableProcess> {
    const environment = onlySet(clientEnvironment({ dynamoDb: '', services: '', accessKey: newAccessKey() }));
    const running = new TableProcess(ofRepository('dev/verify/torture/table.ts'), environment);
    await running.printed(LISTENING);
    Object.assign(process.env, environment, { AWS_ENDPOINT_URL_DYNAMODB: running.endpoint });
    return running;
  }

  get endpoint(): string {
    return this.logLine(LISTENING)['endpoint'] as string;
  }

  /** The name of its flags table. */
  get flags(): string {
    return this.logLine(LISTENING)['flags'] as string;
  }
}
