/**
 * Lets a command continue when the reader of its output has closed (`… | head -1`). The rest of the output is dropped.
 * Without this, Node ends the process with EPIPE before the command's work is done, or with EIO when its terminal has closed.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(onError)) stream.on('error', onError);
  }
}

function onError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error;
}
