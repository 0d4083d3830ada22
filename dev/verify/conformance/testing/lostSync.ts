/** Whether data-syncs are lost now, and how many were. */
export const losses = { areOn: false, count: 0 };
