/**
 * Lets a command go on when the reader of its output has gone (`… | head -1`): the rest of the output is dropped, and what
 * the command was asked for is still done. Without it Node ends the process with EPIPE.
 */
export function ignoreBrokenPipe(): void {
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(onError)) stream.on('error', onError);
  }
}

function onError(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}
