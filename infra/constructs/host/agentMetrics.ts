/** Namespace of what the CloudWatch agent reports, as files/agent.json has it. */
export const AGENT_NAMESPACE = 'Flagwire/Host';

/**
 * CloudWatch's expression for what the agent measures of the host's process. Its dimensions include the process's name, which
 * the runtime chooses for its main thread as its version likes; so it is searched for, and not named.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Agent-procstat-process-metrics.html
 *
 * @param measured as in files/agent.json, e.g. `memory_rss`
 */
export function ofHostProcess(measured: string, instanceId: string, periodSeconds: number): string {
  const where = `InstanceId="${instanceId}" exe="/opt/flagwire/bun"`;
  return `SEARCH('{${AGENT_NAMESPACE},InstanceId,exe,process_name} MetricName="procstat_${measured}" ${where}', 'Maximum', ${periodSeconds})`;
}
