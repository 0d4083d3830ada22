/** What a host says of itself: how often it read its table, and its processor time. */
export async function readMetrics(port: number): Promise<{ reads: number; cpuSeconds: number }> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const figure = (name: string) => Number(new RegExp(`^${name} ([\\d.e+-]+)`, 'm').exec(text)?.[1]);
  const found = { reads: figure('flagwire_table_reads_total'), cpuSeconds: figure('process_cpu_seconds_total') };
  if (Number.isNaN(found.reads + found.cpuSeconds)) throw new Error('the host’s metrics lack reads or processor time');
  return found;
}
