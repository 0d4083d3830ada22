/** Switches the loss of data-syncs on, and counts lost data-syncs. */
export const losses = { areOn: false, count: 0 };
