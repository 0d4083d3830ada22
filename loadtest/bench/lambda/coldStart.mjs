/*
 * An instance of a function: loads a bundle, calls it once, and prints what that took as the last line. It is no TypeScript, so that Node loads
 * nothing else. With seconds, it then repeats each function of the bundle's `warm` for that long.
 */
const [, , bundle, event, seconds] = process.argv;
const { keys } = JSON.parse(event);

const startedAt = performance.now();
const before = process.cpuUsage();
const { handler, warm } = await import(bundle);
const loadedAt = performance.now();
await handler(JSON.parse(event), { getRemainingTimeInMillis: () => 60_000 });
const [cpuMs, wallMs] = [cpuMsSince(before), performance.now() - startedAt];
const cold = { loadMs: loadedAt - startedAt, cpuMs, wallMs, rssMb: process.memoryUsage.rss() / 1_048_576 };
const rates = {};
for (const name of seconds ? Object.keys(warm) : []) {
  await evaluationsPerCoreSecond(warm[name], 500);
  rates[name] = await evaluationsPerCoreSecond(warm[name], seconds * 1_000);
}
console.log(`\n${JSON.stringify({ ...cold, ...rates })}`);
process.exit();

function cpuMsSince(start) {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}

async function evaluationsPerCoreSecond(evaluate, ms) {
  const [start, until] = [process.cpuUsage(), performance.now() + ms];
  let count = 0;
  for (; performance.now() < until; count += keys.length) for (const key of keys) await evaluate(key);
  return (count / cpuMsSince(start)) * 1_000;
}
