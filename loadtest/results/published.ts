/**
 * FeatBit's published figures (https://docs.featbit.co/tech-stack/benchmark): its evaluation server (.NET 6) on a t2.micro
 * with its stores faked in memory, k6 on a c6i.8xlarge in the same network, ten runs at each rate. Times are from sending
 * a data-sync to its answer in milliseconds; CPU and memory are peaks in percent by `top`, in the ramp and after it.
 */
export const published = [
  { rate: 1_000, average: 5.42, p95: 24.7, p99: 96.7, cpu: [82, 26], memory: [55, 38] },
  { rate: 1_100, average: 9.98, p95: 55.51, p99: 170.3, cpu: [88, 29], memory: [58, 42] },
  { rate: 1_200, average: 34.17, p95: 147.91, p99: 254.6, cpu: [91, 31], memory: [61, 45] },
] as const;

/** Memory of a t2.micro, in bytes: what its percentages are of. */
export const T2_MICRO_BYTES = 1024 ** 3;
