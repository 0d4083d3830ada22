/** How long the suite's clients wait for what ought to come, in milliseconds; a suite that expects failures waits less. */
export const patience = { message: 15_000, condition: 20_000 };
