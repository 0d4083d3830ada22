/**
 * What our own stacks and store are like, as far as it costs. The page's model runs in a browser, so it cannot look at
 * them; serviceFacts.test.ts holds each of these to the synthesized templates and the code.
 */

/** Memory of each function, in GB. */
export const FUNCTION_GB = {
  connect: 0.5,
  sync: 0.5,
  disconnect: 0.25,
  default: 0.25,
  publish: 1_769 / 1_024,
  deliver: 1_769 / 1_024,
  heal: 0.5,
  http: 0.5,
} as const;

/** Memory of the deployed console's function, in GB, and the most requests that its API takes, a second and at once. */
export const CONSOLE_GB = 1;
export const CONSOLE_THROTTLE = { rateLimit: 20, burstLimit: 40 } as const;

/** Of the deployed console: seconds between two polls of a visible page, an assumed time of a request in ms, and the largest file of the page, compressed. */
export const CONSOLE_POLL_SECONDS = 5;
export const CONSOLE_MS = 100;
export const CONSOLE_FILE_BYTES = 120_000;

/** One of the functions. */
export type FunctionName = keyof typeof FUNCTION_GB;

/** One that SDKs and changes use. SDKs send no message for `default`. */
export type UsedFunction = Exclude<FunctionName, 'default'>;

/** Shards of an environment's connections: a change becomes a message for each that has any. */
export const SHARDS = 16;

/** Deliveries at once, each by an instance with what it keeps in memory. */
export const DELIVERIES_AT_ONCE = 4;

/** Messages to connections that a call of deliver sends a second, where the default quota is not raised. */
export const POSTS_PER_SECOND_A_CALL = 1_000;

/** Messages of a delivery between two notes of how far it has come. */
export const POSTS_A_NOTE = 500;

/** Copies of an environment's version that each change writes. */
export const VERSION_REPLICAS = 4;

/** Alarms of the serverless stack, and of a lean one, which has as many as are free. */
export const ALARMS = 16;
export const LEAN_ALARMS = 10;

/** Alarms of plans with their guards, and of change events, in the stack of the tables, which every design has. A lean deployment has none. */
export const PLAN_ALARMS = 2;
export const EVENT_ALARMS = 1;

/** Alarms of the two stacks that every design has. @param announces whether the deployment has change events */
export function standingAlarms(lean: boolean, announces = true): number {
  return lean ? LEAN_ALARMS : ALARMS + PLAN_ALARMS + (announces ? EVENT_ALARMS : 0);
}

/** Dashboards of each stack. Only the cost dashboard, where it is not lean, has more metrics than are free. */
export const DASHBOARDS = 1;
export const SMALL_DASHBOARD_METRICS = 50;

/** Metrics that the functions record while they are used; five others only when something is wrong. */
export const OWN_METRICS = 5;

/** Requests a day by which Lambda asks the two queues for work: five pollers each, 20 s a request. */
export const QUEUE_POLLS_A_DAY = (2 * 5 * 86_400) / 20;

/** The step in which EventBridge counts an event, in bytes. */
export const EVENT_STEP = 64 * 1024;

/** Parts of the notes of connections that wait for an answer, each of which healing reads every minute. */
export const NOTE_PARTITIONS = 8;

/** How often a host polls an environment after a change, in milliseconds, and for how many seconds where it is not set. */
export const FAST_POLL_INTERVAL_MS = 10;
export const FAST_POLL_SECONDS = 60;

/**
 * Metrics of the alarms of the stack with hosts on Fargate: CloudWatch charges for each. Each of the two scaling policies has two more
 * alarms, which AWS makes: on one metric, and on two. Source: https://aws.amazon.com/cloudwatch/pricing/
 */
export const FARGATE_ALARMS = 7;
export const SCALING_ALARMS = 2 * (1 + 2);

/** Tasks that the stack with hosts on Fargate has at least and at most, their processors, and connections above which it starts another. */
export const LEAST_TASKS = 2;
export const MOST_TASKS = 10;
export const TASK_VCPU = 1;
export const TASK_CONNECTIONS = 20_000;

/** Seconds between two heartbeats of the host behind a front door. */
export const HEARTBEAT_SECONDS = 30;

/** Of the front door: connections that its machine holds; alarms; memory of a t4g.micro, in GB. */
export const DOOR_CONNECTIONS = 18_000;
export const DOOR_ALARMS = 2;
export const DOOR_MACHINE_GB = 1;

/** How often hosts poll for changes where it is not set, in milliseconds. */
export const POLL_INTERVAL_MS = 50;

/** Memory of a t2.micro, in GB. */
export const T2_MICRO_GB = 1;

/** Disk of a host's machine, in GB. */
export const HOST_DISK_GB = 8;

/** Metrics of EC2's detailed monitoring: CPU, disk and network. Source: CloudWatch's price page. */
export const DETAILED_METRICS = 7;

/** Metrics of a host's machine: those of detailed monitoring, and those of its agent's configuration. */
export const HOST_METRICS = DETAILED_METRICS + 7;

/**
 * Write units of the connections table that a connection takes. For its data-sync: the note that it waits, made and taken away, and
 * its row, registered and noted as answered. At its end: the row removed. A later data-sync takes the first two again.
 */
export const CONNECTION_WRITES = { notes: 2, states: 2, removal: 1 } as const;

/** Bytes of a row in the connections table, with a user of some attributes: it takes one write unit. */
export const CONNECTION_ROW_BYTES = 400;

/** Bytes of a pong, as a message: `{"messageType":"pong","data":{}}`. */
export const PONG_BYTES = 32;

/** The step in which API Gateway counts messages, and the largest message it takes, in bytes. */
export const MESSAGE_STEP = 32 * 1024;
export const LARGEST_MESSAGE = 128 * 1024;
