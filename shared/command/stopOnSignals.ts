/**
 * Ends the process on SIGINT and SIGTERM. The first signal closes in order and exits with code 0. A second one exits
 * without waiting.
 *
 * @param close cleanup before the exit
 */
export function stopOnSignals(close: () => Promise<void>): void {
  let isStopping = false;
  const stop = async () => {
    if (isStopping) process.exit(130);
    isStopping = true;
    console.log('\nstopping …');
    await close();
    process.exit(0);
  };
  process.on('SIGINT', stop);
  process.on('SIGTERM', stop);
}
