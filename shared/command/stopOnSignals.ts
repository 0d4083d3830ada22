/**
 * Has SIGINT and SIGTERM end the process: the first in order, with exit code 0; another one does not wait for that.
 *
 * @param close what is to be done before
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
