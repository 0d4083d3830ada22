/** Namespace of the CloudWatch agent's metrics, as in files/agent.json. */
export const AGENT_NAMESPACE = 'Flagwire/Host';

/**
 * CloudWatch's expression for a metric of the host's process. Its dimensions include the process's name, which depends on the version of
 * the runtime. The expression therefore searches for it.
 *
 * Source: https://docs.aws.amazon.com/AmazonCloudWatch/latest/monitoring/CloudWatch-Agent-procstat-process-metrics.html
 *
 * @param measured as in files/agent.json, e.g. `memory_rss`
 */
export function ofHostProcess(measured: string, instanceId: string, periodSeconds: number): string {
  const where = `InstanceId="${instanceId}" exe="/opt/flagwire/bun"`;
  return `SEARCH('{${AGENT_NAMESPACE},InstanceId,exe,process_name} MetricName="procstat_${measured}" ${where}', 'Maximum', ${periodSeconds})`;
}
