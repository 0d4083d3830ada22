/**
 * FeatBit's published figures: its evaluation server (.NET 6) on a t2.micro with its stores faked in memory, k6 on a
 * c6i.8xlarge, ten runs at each rate; the time from sending a data-sync to its answer in milliseconds
 * (https://docs.featbit.co/tech-stack/benchmark).
 */
export const published = [
  { rate: 1_000, average: 5.42, p95: 24.7, p99: 96.7 },
  { rate: 1_100, average: 9.98, p95: 55.51, p99: 170.3 },
  { rate: 1_200, average: 34.17, p95: 147.91, p99: 254.6 },
] as const;
