/** Memory settings of the host on Node, for a machine of 1 GiB. */
export const HOST_FLAGS = ['--max-old-space-size=640', '--initial-old-space-size=256', '--max-semi-space-size=8'];

/** The pauses of the emulator's table would show in every push: a DynamoDB has none. */
export const TABLE_FLAGS = ['--initial-old-space-size=500', '--max-semi-space-size=2', '--single-threaded-gc'];
